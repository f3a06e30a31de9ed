// Buttons.
import { html } from '../preact.js';

/** `kind`: filled, tonal (the default), text or danger. `busy` shows that it works and takes no second click. */
export function Button({ kind = 'tonal', busy = false, disabled = false, children, ...rest }) {
  return html`<button type="button" class=${`button button-${kind}`} disabled=${disabled || busy} aria-busy=${busy || undefined} ...${rest}>
    ${busy && html`<span class="spinner" aria-hidden="true"></span>`}${children}
  </button>`;
}

/** A round button with a sign; `label` is its name for those who do not see the sign. */
export function SignButton({ label, children, ...rest }) {
  return html`<button type="button" class="sign-button" aria-label=${label} title=${label} ...${rest}>
    <span aria-hidden="true">${children}</span>
  </button>`;
}
