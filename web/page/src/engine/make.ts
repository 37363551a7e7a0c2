// SPDX-License-Identifier: Apache-2.0
import type { Engine } from "./types";
export const makeEngine = async (_wasm: ArrayBuffer | null, _files: string | null): Promise<() => Promise<Engine>> => {
  throw new Error("no engine in this build");
};
