// A bar of filters over a list. What is chosen lives in the address.
import { useRested } from '../loading.js';
import { html, useEffect, useRef, useState } from '../preact.js';
import { t } from '../texts.js';
import { Button } from './button.js';
import { SelectField, TextField } from './field.js';

/**
 * `fields`: {name, label, options: [[value, text], ...]} for a choice (the first is "any", added here), or
 * {name, label, kind: 'text' | 'search' | 'date'}; `always: true` keeps it in sight on narrow screens, `plain: true` is a choice
 * that has no "any" because its first option is what holds without it.
 * `values` are the present ones by name; `onChange(values, {typed})` gets all of them.
 */
export function Filters({ fields, values, onChange }) {
  const chosen = fields.filter(({ name, plain }) => values[name] && !plain);
  const [open, setOpen] = useState(false);
  const put = (name, value, typed = false) => onChange({ ...values, [name]: value || undefined }, { typed });
  const drop = () => onChange({ ...values, ...Object.fromEntries(chosen.map(({ name }) => [name, undefined])) }, {});
  return html`<form class=${open ? 'filters filters-open' : 'filters'} role="search" aria-label=${t('filters.label')} onSubmit=${(e) => e.preventDefault()}>
    ${fields.map(
      (field) => html`<div key=${field.name} class=${field.always ? 'filter filter-always' : 'filter'}>
        ${field.options
          ? html`<${SelectField} label=${field.label} value=${values[field.name] ?? (field.plain ? field.options[0][0] : '')}
              options=${field.plain ? field.options : [['', t('filters.any')], ...field.options]} onValue=${(value) => put(field.name, value)} />`
          : html`<${Typed} field=${field} value=${values[field.name] ?? ''} onValue=${(value) => put(field.name, value, true)} />`}
      </div>`,
    )}
    ${fields.some(({ always }) => !always) &&
    html`<button type="button" class="button button-text filters-more" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${t(open ? 'filters.fewer' : 'filters.more')}
    </button>`}
    ${chosen.length > 0 && html`<${Button} kind="text" onClick=${drop}>${t('filters.clear')}<//>`}
  </form>`;
}

/** A text that is passed on once the typing rests. */
function Typed({ field, value, onValue }) {
  const [typed, setTyped] = useState(value);
  const rested = useRested(typed);
  const passed = useRef(value);
  useEffect(() => {
    // What came back of one's own typing changes nothing: one may have typed on, if only a space.
    if (value !== passed.current) setTyped(value);
    passed.current = value;
  }, [value]);
  useEffect(() => {
    if (rested.trim() === value || rested !== typed) return;
    passed.current = rested.trim();
    onValue(passed.current);
  }, [rested]);
  return html`<${TextField} label=${field.label} type=${field.kind} value=${typed}
    placeholder=${field.placeholder} onValue=${setTyped} />`;
}

/** One owner's rows alone, which a link asked for: who it is, and the way back to everybody's. */
export const OwnerFilter = ({ owner, href }) =>
  html`<p class="row"><span class="breakable">${t('filters.owner', { owner })}</span><a href=${href}>${t('filters.everybody')}</a></p>`;
