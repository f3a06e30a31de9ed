// An instant, as its age with the full time behind it, or the other way round.
import { formatAge, formatInstant, formatBriefMoment } from '../format.js';
import { html } from '../preact.js';
import { createStore, useStore } from '../store.js';
import { t } from '../texts.js';

/** Each minute ages are told anew. */
const now = createStore(0);
setInterval(() => now.set(Date.now()), 60_000);

/** For how many minutes something can be undone. */
export function Countdown({ until }) {
  useStore(now);
  const count = Math.trunc((Date.parse(until) - Date.now()) / 60_000);
  return html`<time datetime=${until} title=${formatInstant(until)}>${t(count > 0 ? 'bulk.undo_within' : 'bulk.undo_soon', { count })}</time>`;
}

/** Nothing without an instant. `exact` shows day, time and zone first; "brief" is without the year, which stands behind it. */
export function Time({ at, exact = false }) {
  useStore(now);
  if (!at) return null;
  const [age, instant] = [formatAge(at), formatInstant(at)];
  if (!exact) return html`<time datetime=${at} title=${instant}>${age}</time>`;
  return exact === 'brief'
    ? html`<time datetime=${at} title=${`${instant} · ${age}`}>${formatBriefMoment(at)}</time>`
    : html`<time datetime=${at} title=${age}>${instant}</time>`;
}
