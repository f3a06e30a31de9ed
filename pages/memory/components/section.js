// A part of a view under a heading of its own, with what can be done there beside it.
import { html, useId } from '../preact.js';

export function Section({ title, hint, actions, children }) {
  const id = useId();
  return html`<section class="part" aria-labelledby=${id}>
    <header class="part-head">
      <div><h2 id=${id}>${title}</h2>${hint && html`<p class="muted">${hint}</p>`}</div>
      ${actions && html`<div class="row">${actions}</div>`}
    </header>
    ${children}
  </section>`;
}
