// Small marks: a word in a coloured pill, a count in a circle.
import { html } from '../preact.js';

/** `tone`: neutral (the default), primary, success, warning or error. */
export const Chip = ({ tone = 'neutral', title, children }) =>
  html`<span class=${`chip chip-${tone}`} title=${title}>${children}</span>`;

/** A count and what it counts; nothing for zero. */
export const Badge = ({ count, label }) =>
  count > 0
    ? html`<span class="badge" title=${label}><span aria-hidden="true">${count > 999 ? '999+' : count}</span><span class="only-heard">${label}</span></span>`
    : null;
