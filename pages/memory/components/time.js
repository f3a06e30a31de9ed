// An instant, as its age with the full time behind it, or the other way round.
import { formatAge, formatInstant } from '../format.js';
import { html } from '../preact.js';
import { createStore, useStore } from '../store.js';

/** Each minute ages are told anew. */
const now = createStore(0);
setInterval(() => now.set(Date.now()), 60_000);

/** Nothing without an instant. `exact` shows day and time first. */
export function Time({ at, exact = false }) {
  useStore(now);
  if (!at) return null;
  const age = formatAge(at);
  const [shown, behind] = exact ? [formatInstant(at), age] : [age, formatInstant(at)];
  return html`<time datetime=${at} title=${behind}>${shown}</time>`;
}
