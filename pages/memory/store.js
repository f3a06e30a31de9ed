// A value that tells whoever looks at it when it changes.
import { useEffect, useState } from './preact.js';

/** Make a store. `set` takes a value, or a function of the present one. */
export function createStore(initial) {
  let value = initial;
  const watchers = new Set();
  return {
    get: () => value,
    set(next) {
      value = typeof next === 'function' ? next(value) : next;
      watchers.forEach((watch) => watch(value));
    },
    subscribe(watch) {
      watchers.add(watch);
      return () => watchers.delete(watch);
    },
  };
}

/** The present value of a store; the component is drawn again when it changes. */
export function useStore(store) {
  const [value, setValue] = useState(store.get());
  useEffect(() => {
    setValue(() => store.get());
    return store.subscribe((next) => setValue(() => next));
  }, [store]);
  return value;
}
