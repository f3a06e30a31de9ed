// What a button sets going: one at a time, and said when it went wrong.
import { toastError } from './components/toast.js';
import { useState } from './preact.js';

/** Returns [busy, run]: `run(work)` awaits the work, and shows what it refuses; its value, or undefined. */
export function useDoing() {
  const [busy, setBusy] = useState(false);
  const run = async (work) => {
    setBusy(true);
    try {
      return await work();
    } catch (error) {
      toastError(error);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return [busy, run];
}
