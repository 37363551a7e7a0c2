// SPDX-License-Identifier: Apache-2.0
// A place for files: drop them, or choose them.
import { useState } from "preact/hooks";

async function inside(entry: any): Promise<File[]> {
  if (entry.isFile) return [await new Promise<File>((yes, no) => entry.file((f: File) => { Object.defineProperty(f, "webkitRelativePath", { value: entry.fullPath.slice(1) }); yes(f); }, no))];
  const reader = entry.createReader(), out: File[] = [];
  for (;;) {
    const some: any[] = await new Promise((yes, no) => reader.readEntries(yes, no));
    if (!some.length) return out;
    for (const e of some) out.push(...(await inside(e)));
  }
}
export function Drop({ label, accept, folders, onFiles }: { label: string; accept: string; folders?: boolean; onFiles: (files: File[]) => void }) {
  const [over, setOver] = useState(false);
  const take = async (e: DragEvent) => {
    e.preventDefault();
    setOver(false);
    const entries = [...(e.dataTransfer?.items ?? [])].map((i) => (i as any).webkitGetAsEntry?.()).filter(Boolean);
    onFiles(entries.length ? (await Promise.all(entries.map(inside))).flat() : [...(e.dataTransfer?.files ?? [])]);
  };
  return (
    <label class={`drop ${over ? "over" : ""}`} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)} onDrop={take}>
      {label} <span class="choose">or choose</span>
      <input type="file" multiple accept={accept} onChange={(e) => { onFiles([...(e.currentTarget.files ?? [])]); e.currentTarget.value = ""; }} aria-label={label} />
      {folders && <input type="file" multiple {...({ webkitdirectory: true } as any)} class="hidden" tabIndex={-1} aria-hidden="true" />}
    </label>
  );
}
