// SPDX-License-Identifier: Apache-2.0
// Links: "#v1." + base64url(deflate(JSON)). Files that the page gives away.

export const kMostInLink = 32 * 1024; // characters

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes as BlobPart]).stream().pipeThrough(stream)).arrayBuffer());
}
export async function pack(value: unknown): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate"));
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return `#v1.${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
export async function unpack(fragment: string): Promise<any> {
  if (!fragment.startsWith("#v1.")) throw new Error("This link is not of this page: it does not begin with #v1.");
  const packed = Uint8Array.from(atob(fragment.slice(4).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate"))));
}
export function download(name: string, content: BlobPart, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([content], { type })), a = document.createElement("a");
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
