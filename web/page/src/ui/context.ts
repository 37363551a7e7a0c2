// SPDX-License-Identifier: Apache-2.0
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { App, State } from "../app/app";
import { useStore } from "../app/store";

export const AppContext = createContext<App>(null as unknown as App);
export const useApp = (): App => useContext(AppContext);
export function useApp1<R>(select: (state: State) => R): R { return useStore(useApp().store, select); }
