// Choosing a person among those who have spoken: type part of a name, take one of those found.
import * as api from '../api.js';
import { errorText } from '../errors.js';
import { useLoaded, useRested } from '../loading.js';
import { html, useEffect, useId, useRef, useState } from '../preact.js';
import { t } from '../texts.js';

const SHOWN = 20;
/** Others whose accounts hold the same signs. */
const MOST = 200;

/** What a person is called: the name, and the account where that is something else. */
export const called = ({ name, account }) => (name && name !== account ? t('item.named', { name, id: account }) : account);

/**
 * A field in which one types and chooses. `value` is a person as GET people gives it, or null; `onValue` gets the
 * one chosen, or null when the field is cleared; `onOpen` whether something is typed that is nobody chosen yet.
 */
export function PersonField({ label, hint, value, onValue, onOpen }) {
  const id = useId();
  const frame = useRef(null);
  const [typed, setTyped] = useState(value ? called(value) : '');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [nobody, setNobody] = useState(false);
  const { found, people, settled } = useFitting(typed.trim(), value, open);
  useEffect(() => {
    // Who types over a name goes on typing.
    if (value || !open) setTyped(value ? called(value) : '');
  }, [value?.account]);
  useEffect(() => setAt(0), [found.data]);
  const nobodyYet = !value && typed.trim() !== '';
  useEffect(() => onOpen?.(nobodyYet), [nobodyYet]);
  const choose = (person) => {
    setTyped(called(person));
    setOpen(false);
    onValue(person);
  };
  const type = (text) => {
    setTyped(text);
    setNobody(false);
    setOpen(true);
    if (value) onValue(null);
  };
  /** Who types a name and goes on means the one that has it, or the only one that fits. */
  const leave = async (event) => {
    if (frame.current.contains(event.relatedTarget)) return;
    setOpen(false);
    const name = typed.trim();
    if (value || !name) return;
    const fitting = await meantBy(name);
    if (!fitting || frame.current?.querySelector('input').value.trim() !== name) return; // something else is typed or shown by now
    setNobody(fitting.length === 0);
    if (fitting.length === 1) choose(fitting[0]);
  };
  const move = (step) => {
    setOpen(true);
    setAt(Math.max(0, Math.min(people.length - 1, at + step)));
  };
  // Not somebody of the list before, while those that fit what was typed are still looked for.
  const take = () => settled && people[at] && choose(people[at]);
  const key = (event) => steer(event, open, { move, take, close: () => setOpen(false) });
  return html`<div class="field person-field" ref=${frame} onFocusOut=${leave}>
    <label for=${id}>${label}</label>
    <input id=${id} class="input" type="text" role="combobox" autocomplete="off" spellcheck=${false} value=${typed}
      placeholder=${t('person.placeholder')} aria-expanded=${open} aria-controls=${`${id}-list`} aria-autocomplete="list"
      aria-activedescendant=${open && people[at] ? `${id}-${at}` : undefined} aria-describedby=${hint ? `${id}-hint` : undefined}
      onInput=${(event) => type(event.currentTarget.value)} onFocus=${() => setOpen(!value)} onClick=${() => setOpen(true)} onKeyDown=${key} />
    ${hint && html`<p class="field-hint" id=${`${id}-hint`}>${hint}</p>`}
    ${nobody && !open && !value && html`<p class="field-error" role="alert">${t('person.none')}</p>`}
    <${Options} id=${id} label=${label} open=${open} people=${people} at=${at} found=${found} onChoose=${choose} />
  </div>`;
}

/** What a key does to the list under the field. */
function steer(event, open, { move, take, close }) {
  // What is pressed while a word is composed belongs to that word.
  if (event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    move(step);
  } else if (event.key === 'Enter' && open) {
    event.preventDefault();
    take();
  } else if (event.key === 'Escape' && open) {
    event.stopPropagation();
    close();
  }
}

/** Who fits what is typed, while that may be chosen; `settled` once nobody else is looked for. */
function useFitting(name, value, open) {
  const sought = useRested(name, 200);
  const q = value && sought === called(value) ? '' : sought;
  const found = useLoaded(async () => (open ? (await api.get('people', { q, page_size: SHOWN })).people : []), [open, q]);
  return { found, people: open ? (found.data ?? []) : [], settled: sought === name && !found.busy };
}

/** Those who have the name or the account, or else whom it fits; undefined when they cannot be asked for. */
async function meantBy(name) {
  const { people } = await api.get('people', { q: name, page_size: SHOWN }).catch(() => ({}));
  const exact = people?.filter((one) => [one.name, one.account].some((each) => each.toLowerCase() === name.toLowerCase()));
  return exact?.length > 0 ? exact : people;
}

function Options({ id, label, open, people, at, found, onChoose }) {
  return html`<ul class="person-list" id=${`${id}-list`} role="listbox" aria-label=${label} hidden=${!open}>
    ${people.map(
      (person, place) => html`<li key=${person.account} id=${`${id}-${place}`} role="option" aria-selected=${place === at}
        class=${place === at ? 'person-option person-option-here' : 'person-option'}
        onMouseDown=${(event) => event.preventDefault()} onClick=${() => onChoose(person)}>
        <span class="breakable">${person.name || person.account}</span>
        <span class="muted breakable">${person.account} · ${t('person.items', { count: person.items })}</span>
      </li>`,
    )}
    ${open && people.length === 0 && html`<li class="person-option muted" role="presentation">${nothing(found)}</li>`}
  </ul>`;
}
function nothing({ busy, error }) {
  if (error) return errorText(error);
  return t(busy ? 'state.loading' : 'person.none');
}

/** [person, setPerson]: who has this account, undefined while they are looked for, null when there is none. */
export function usePerson(account) {
  const [person, setPerson] = useState(account ? undefined : null);
  useEffect(() => {
    let wanted = true;
    if (!account) setPerson(null);
    else if (person?.account !== account) {
      setPerson(undefined);
      api.get('people', { q: account, page_size: MOST }).then(
        ({ people }) => wanted && setPerson(people.find((each) => each.account === account) ?? null),
        () => wanted && setPerson(null),
      );
    }
    return () => {
      wanted = false;
    };
  }, [account]);
  return [person, setPerson];
}
