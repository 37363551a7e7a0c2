// SPDX-License-Identifier: Apache-2.0
// usage: node catalog.mjs CONFIGS OUT: the files of the catalog as one JSON object, path -> text, or {base64} of what is no text; always in the same order
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder, out] = process.argv.slice(2);
const files = {};
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile()) {
    const path = join(entry.path ?? entry.parentPath, entry.name);
    const bytes = readFileSync(path), text = bytes.toString('utf8');
    files[relative(folder, path).replaceAll('\\', '/')] =
      Buffer.from(text, 'utf8').equals(bytes) ? text : { base64: bytes.toString('base64') };
  }
writeFileSync(out, JSON.stringify(Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))));
