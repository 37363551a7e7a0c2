// SPDX-License-Identifier: Apache-2.0
// One object of state, and components that follow a part of it.
import { useEffect, useState } from "preact/hooks";

export class Store<T extends object> {
  private listeners = new Set<() => void>();
  constructor(public state: T) {}
  set(patch: Partial<T>): void {
    this.state = { ...this.state, ...patch };
    for (const listener of [...this.listeners]) listener();
  }
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }
}

export function useStore<T extends object, R>(store: Store<T>, select: (state: T) => R): R {
  const [value, setValue] = useState(() => select(store.state));
  useEffect(() => {
    const follow = () => setValue(() => select(store.state));
    follow();
    return store.listen(follow);
  }, [store]);
  return value;
}
