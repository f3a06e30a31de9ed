// A bar of filters over a list. What is chosen lives in the address.
import { useRested } from '../loading.js';
import { html, useEffect, useRef, useState } from '../preact.js';
import { t } from '../texts.js';
import { Button } from './button.js';
import { SelectField, TextField } from './field.js';
import { PersonField, usePerson } from './person.js';

/**
 * `fields`: {name, label, options: [[value, text], ...]} for a choice (the first is "any", added here), or
 * {name, label, kind: 'text' | 'search' | 'date' | 'person'}; `always: true` keeps it in sight on narrow screens, `plain: true` is a choice
 * that has no "any" because its first option is what holds without it.
 * `focused: true` takes the focus of whoever comes to the view with a mouse. `values` are the present ones by name;
 * `onChange(values, {typed})` gets all of them.
 */
export function Filters({ fields, values, onChange }) {
  const chosen = fields.filter(({ name, plain }) => values[name] && !plain);
  const [open, setOpen] = useState(false);
  const put = (name, value, typed = false) => onChange({ ...values, [name]: value || undefined }, { typed });
  const drop = () => onChange({ ...values, ...Object.fromEntries(chosen.map(({ name }) => [name, undefined])) }, {});
  const field = (each) => {
    const value = values[each.name];
    if (each.kind === 'person') return html`<${PersonFilter} field=${each} account=${value} onValue=${(account) => put(each.name, account)} />`;
    if (!each.options) return html`<${Typed} field=${each} value=${value ?? ''} onValue=${(text) => put(each.name, text, true)} />`;
    return html`<${SelectField} label=${each.label} value=${value ?? (each.plain ? each.options[0][0] : '')}
      options=${each.plain ? each.options : [['', t('filters.any')], ...each.options]} onValue=${(chosen) => put(each.name, chosen)} />`;
  };
  return html`<form class=${['filters', open && 'filters-open', fields.length > 1 && 'filters-many'].filter(Boolean).join(' ')} role="search" aria-label=${t('filters.label')} onSubmit=${(e) => e.preventDefault()}>
    ${fields.map(
      (each) => html`<div key=${each.name} class=${['filter', each.always && 'filter-always', each.kind === 'search' && 'filter-wide'].filter(Boolean).join(' ')}>${field(each)}</div>`,
    )}
    ${fields.some(({ always }) => !always) &&
    html`<button type="button" class="button button-text filters-more" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${t(open ? 'filters.fewer' : 'filters.more')}
    </button>`}
    ${fields.length > 1 && chosen.length > 0 && html`<div class="filters-clear"><${Button} kind="text" onClick=${drop}>${t('filters.clear')}<//></div>`}
  </form>`;
}

/** One of those who have spoken, by the account. */
function PersonFilter({ field, account, onValue }) {
  const [person, setPerson] = usePerson(account);
  const choose = (one) => {
    setPerson(one);
    onValue(one?.account);
  };
  return html`<${PersonField} label=${field.label} value=${person} onValue=${choose} />`;
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
  const frame = useRef(null);
  useEffect(() => {
    if (field.focused && byMouse()) frame.current.querySelector('input').focus({ preventScroll: true });
  }, []);
  return html`<div ref=${frame}><${TextField} label=${field.label} type=${field.kind} value=${typed}
    placeholder=${field.placeholder} onValue=${setTyped} /></div>`;
}

/** Whether the view was come to by a click: a keyboard goes on from the link, and on a touch screen a keyboard would come up. */
const byMouse = () =>
  window.matchMedia('(pointer: fine)').matches && document.activeElement?.matches('.nav-link:not(:focus-visible)');

/** One owner's rows alone, which a link asked for: who it is, and the way back to everybody's. */
export const OwnerFilter = ({ owner, href }) =>
  html`<p class="row"><span class="breakable">${t('filters.owner', { owner })}</span><a href=${href}>${t('filters.everybody')}</a></p>`;
