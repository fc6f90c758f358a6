import { useSyncExternalStore } from 'react';

/** An observable value outside of React, such as the notification on screen. */
export interface Store<Value> {
  get: () => Value;
  set: (next: Value) => void;
  subscribe: (listener: () => void) => () => void;
  /** The value in prerendered pages. */
  initial: Value;
}

/** Listeners to a value that is kept elsewhere, for example in the browser's storage. */
export function createEmitter() {
  const listeners = new Set<() => void>();
  return {
    emit: () => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function createStore<Value>(initial: Value): Store<Value> {
  const { emit, subscribe } = createEmitter();
  let value = initial;
  return {
    initial,
    get: () => value,
    set: (next) => {
      value = next;
      emit();
    },
    subscribe,
  };
}

/** Returns the current value and renders the component again when it changes. */
export const useStore = <Value>({ subscribe, get, initial }: Store<Value>): Value =>
  useSyncExternalStore(subscribe, get, () => initial);
