// How the plugin is doing, for the head of the page: state, read-only, what waits.
import * as api from './api.js';
import { errorText } from './errors.js';
import { setTimeZone } from './format.js';
import { reloadShown } from './loading.js';
import { useEffect } from './preact.js';
import { createStore, useStore } from './store.js';

const health = createStore(null);

/** What GET health last said, or null before the first answer. */
export const useHealth = () => useStore(health);

/** Ask again; a view does so after it changed something. Without an answer what was last known stays, but not that all is well. */
export async function refreshHealth() {
  try {
    const found = await api.get('health');
    setTimeZone(found.timezone);
    health.set(found);
  } catch (error) {
    health.set((before) => ({ ...before, state: 'unreachable', problems: [{ key: '', why: errorText(error) }] }));
  }
}

/** Something was changed: what is shown is asked for anew, and how the plugin is doing. */
export function refreshAll() {
  reloadShown();
  return refreshHealth();
}

/** How often, in milliseconds, it is asked again meanwhile: others decide too, in chats and on other pages. */
const PAUSE = 60_000;

/** Ask again each minute, and when somebody comes back to the page. */
export function useRecentHealth() {
  useEffect(() => {
    const look = () => document.hidden || refreshHealth();
    const timer = setInterval(look, PAUSE);
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
