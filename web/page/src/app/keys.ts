// SPDX-License-Identifier: Apache-2.0
import type { App } from "./app";

const typing = (e: Event): boolean => {
  const t = e.target as HTMLElement;
  return t.tagName === "TEXTAREA" || t.tagName === "SELECT" || (t.tagName === "INPUT" && !["checkbox", "range", "radio"].includes((t as HTMLInputElement).type));
};
const onButton = (e: Event): boolean => ["BUTTON", "SUMMARY"].includes((e.target as HTMLElement).tagName) || (e.target as HTMLInputElement).type === "checkbox";

export function listenKeys(app: App): void {
  const act: Record<string, () => void> = {
    KeyR: () => void app.reset(), KeyP: () => app.toggleRun(), Period: () => app.step(1), Comma: () => app.step(-Math.round(0.1 / (app.state.session?.dt ?? 0.001))),
    KeyG: () => { app.input.reverse = !app.input.reverse; app.input.taken = true; app.set({ reverse: app.input.reverse }); }, KeyL: () => void app.toggleLugre(),
  };
  addEventListener("keydown", (e) => {
    if (typing(e) || e.ctrlKey || e.metaKey || e.altKey || app.state.help || !["drive", "race"].includes(app.state.tab)) return;
    if (e.key === "?") { app.set({ help: true }); e.preventDefault(); return; }
    if (e.code === "Space" && onButton(e)) return; // it presses the button
    if (e.code.startsWith("Arrow") && (e.target as HTMLInputElement).type === "range") return;
    if (app.input.press(e.code)) { if (!app.state.running && !e.repeat) app.set({ running: true }); e.preventDefault(); return; }
    if (e.repeat && e.code !== "Period" && e.code !== "Comma") return;
    if (/^Digit[1-6]$/.test(e.code)) app.set({ camera: Number(e.code[5]) });
    else act[e.code]?.();
  });
  addEventListener("keyup", (e) => app.input.lift(e.code));
  addEventListener("blur", () => app.input.letGo());
}
