// SPDX-License-Identifier: Apache-2.0
// run.csv as columns. Lines that begin with # are comments.
export interface Table { names: string[]; columns: Float64Array[] }
export function readCsv(text: string): Table {
  const lines = text.split(/\r?\n/).filter((l) => l && !l.startsWith("#"));
  const names = (lines[0] ?? "").split(",").map((n) => n.trim()), rows = lines.slice(1);
  const columns = names.map(() => new Float64Array(rows.length));
  rows.forEach((line, r) => line.split(",").forEach((cell, c) => { if (columns[c]) columns[c]![r] = cell === "" ? NaN : Number(cell); }));
  return { names, columns };
}
