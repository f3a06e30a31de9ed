// An instant, as its age with the full time behind it, or the other way round.
import { formatAge, formatInstant } from '../format.js';
import { html } from '../preact.js';

/** Nothing without an instant. `exact` shows day and time first. */
export function Time({ at, exact = false }) {
  if (!at) return null;
  const [shown, behind] = exact ? [formatInstant(at), formatAge(at)] : [formatAge(at), formatInstant(at)];
  return html`<time datetime=${at} title=${behind}>${shown}</time>`;
}
