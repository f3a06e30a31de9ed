// Fields of a form: label, hint, what is wrong with the value.
import { sentence } from '../errors.js';
import { html, useId } from '../preact.js';

/** The frame of a field; `children` is a function of the attributes its input must carry. */
export function Field({ label, hint, error, children }) {
  const id = useId();
  const told = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const carried = { id, 'aria-describedby': told || undefined, 'aria-invalid': error ? 'true' : undefined };
  return html`<div class=${error ? 'field field-wrong' : 'field'}>
    <label for=${id}>${label}</label>
    ${children(carried)}
    ${hint && html`<p class="field-hint" id=${`${id}-hint`}>${hint}</p>`}
    ${error && html`<p class="field-error" id=${`${id}-error`} role="alert">${sentence(error)}</p>`}
  </div>`;
}

/** One line of text; `type` may be number, search and so on. `onValue` gets the text. */
export const TextField = ({ label, hint, error, value, onValue, type = 'text', ...rest }) =>
  html`<${Field} label=${label} hint=${hint} error=${error}>
    ${(carried) =>
      html`<input class="input" type=${type} value=${value} onInput=${(e) => onValue(e.currentTarget.value)} ...${carried} ...${rest} />`}
  <//>`;

/** Several lines of text. */
export const AreaField = ({ label, hint, error, value, onValue, ...rest }) =>
  html`<${Field} label=${label} hint=${hint} error=${error}>
    ${(carried) =>
      html`<textarea class="input" value=${value} onInput=${(e) => onValue(e.currentTarget.value)} ...${carried} ...${rest}></textarea>`}
  <//>`;

/** One of some values; `options` are [value, text]. */
export const SelectField = ({ label, hint, error, value, onValue, options, ...rest }) =>
  html`<${Field} label=${label} hint=${hint} error=${error}>
    ${(carried) =>
      html`<select class="input" value=${value} onChange=${(e) => onValue(e.currentTarget.value)} ...${carried} ...${rest}>
        ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}
      </select>`}
  <//>`;

/** Yes or no. */
export function CheckField({ label, hint, checked, onValue, ...rest }) {
  const id = useId();
  return html`<div class="field field-check">
    <input id=${id} type="checkbox" checked=${checked} aria-describedby=${hint ? `${id}-hint` : undefined}
      onChange=${(e) => onValue(e.currentTarget.checked)} ...${rest} />
    <label for=${id}>${label}</label>
    ${hint && html`<p class="field-hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`;
}
