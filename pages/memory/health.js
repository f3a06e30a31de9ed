// How the plugin is doing, for the head of the page: state, read-only, what waits.
import * as api from './api.js';
import { errorText } from './errors.js';
import { setTimeZone } from './format.js';
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
