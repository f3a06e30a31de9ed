// Loading of what a view shows.
import { useCallback, useEffect, useRef, useState } from './preact.js';

/** What is shown now and can be asked for anew. */
const shown = new Set();

/** Something was changed: whatever is shown now is asked for anew, wherever the change was begun. */
export const reloadShown = () => shown.forEach((reload) => reload());

/**
 * Run `load` now and whenever `deps` change; returns {data, error, busy, reload}.
 *
 * While it is loaded again the former data stays. An answer that came too late, after a newer question, is dropped.
 */
export function useLoaded(load, deps) {
  const [found, setFound] = useState({ data: null, error: null, busy: true });
  const asked = useRef(0);
  const reload = useCallback(async () => {
    const mine = ++asked.current;
    setFound((before) => ({ ...before, busy: true }));
    try {
      const data = await load();
      if (mine === asked.current) setFound({ data, error: null, busy: false });
    } catch (error) {
      if (mine === asked.current) setFound((before) => ({ ...before, error, busy: false }));
    }
  }, deps);
  useEffect(() => {
    reload();
    shown.add(reload);
    return () => {
      shown.delete(reload);
      asked.current += 1;
    };
  }, [reload]);
  return { ...found, reload };
}

/** How long, in milliseconds, a button takes no click once it stands in the place of another: a double click is over. */
const DOUBLE_CLICK = 500;

/** Whether `value` has changed just now, with what the buttons mean that depend on it. */
export const useJustChanged = (value) => useRested(value, DOUBLE_CLICK) !== value;

/** A value that follows `value` once it has rested for some milliseconds. */
export function useRested(value, milliseconds = 300) {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return rested;
}
