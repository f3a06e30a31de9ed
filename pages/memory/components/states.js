// What a view shows in place of its rows: that it loads, that there are none, that it went wrong.
import { errorText } from '../errors.js';
import { html } from '../preact.js';
import { t } from '../texts.js';
import { Button } from './button.js';

export const Loading = () =>
  html`<div class="state" role="status"><span class="spinner" aria-hidden="true"></span>${t('state.loading')}</div>`;

/** `hint` says what would bring something here; `children` may be a button that does it. */
export const Empty = ({ title, hint, children }) =>
  html`<div class="state">
    <strong>${title}</strong>
    ${hint && html`<p class="muted">${hint}</p>`}
    ${children}
  </div>`;

export const Failed = ({ error, onRetry }) =>
  html`<div class="state state-failed" role="alert">
    <strong>${t('state.failed')}</strong>
    <p>${errorText(error)}</p>
    ${onRetry && html`<${Button} onClick=${onRetry}>${t('action.retry')}<//>`}
  </div>`;

/** What `useLoaded` gave: its data through the function in `children`, or why there is none yet. */
export function Loaded({ of, children }) {
  if (of.error) return html`<${Failed} error=${of.error} onRetry=${of.reload} />`;
  if (of.data === null) return html`<${Loading} />`;
  return html`<div class=${of.busy ? 'loaded loaded-busy' : 'loaded'} aria-busy=${of.busy}>${children(of.data)}</div>`;
}
