// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from "preact/hooks";
import { useApp, useApp1 } from "./context";

const kKeys: [string, string][] = [
  ["Arrows or W A S D", "drive, brake, steer"], ["Space", "handbrake"], ["G", "reverse"], ["L", "LuGre on or off"], ["R", "to the start"], ["P", "pause"],
  [".", "one step"], [",", "back 0.1 s"], ["1 to 6", "cameras"], ["?", "this list"], ["Gamepad", "left stick steers, triggers drive and brake"],
];
export function Help() {
  const app = useApp(), help = useApp1((s) => s.help), about = useApp1((s) => s.about), dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => { if (help) dialog.current?.showModal(); else dialog.current?.close(); }, [help]);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={() => app.set({ help: false })}>
      <h2>Keys</h2>
      <dl>{kKeys.map(([key, what]) => <><dt><kbd>{key}</kbd></dt><dd>{what}</dd></>)}</dl>
      <p>Forces of the road on the tires: Fx red, Fy green, Fz blue. The ellipse is what the tire can do at this load and friction; the point in it is what it does, and it is filled above 98 %.
        The bristles lean as far as they are bent, 200 times enlarged; filled tips: the wheel is held still.</p>
      <p class="soft">VDSim {about?.version} {about?.git ?? ""}</p>
      <form method="dialog"><button>Close</button></form>
    </dialog>
  );
}
