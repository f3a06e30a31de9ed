// Choosing many rows of a list, and deciding about them: a batch at a time, with a way to stop and a way back.
import * as api from '../api.js';
import { useDoing } from '../doing.js';
import { formatBrief } from '../format.js';
import { refreshAll } from '../health.js';
import { useLoaded } from '../loading.js';
import { html, useEffect, useRef, useState } from '../preact.js';
import { linkTo } from '../route.js';
import { gap, hasText, t } from '../texts.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Other } from './other.js';
import { Countdown } from './time.js';
import { toast, toastError } from './toast.js';

const AT_ONCE = 200;
const MOST_LEFT = 50;
const MOST_NAMED = 3;
/** How soon, in milliseconds, what has lapsed by this clock is asked for again. */
const UNDO_CHECK = 5_000;
/** What a change of status is called. */
const CHANGES = { active: 'restore', disabled: 'disable', deleted: 'forget' };
/** Where those are that were approved just now. */
const APPROVED = { status: 'active', sort: '-updated' };
const NONE = { ids: new Set(), beyond: false };
/**
 * What is chosen among `ids`, the rows in their order: {chosen, beyond, choose, chooseAll}. It ends when `key`
 * changes. What is on no page that is shown is chosen no more, unless all were chosen that fit: `beyond` it.
 */
export function useChosen(ids, key) {
  const [ticked, setTicked] = useState(NONE);
  const last = useRef(null);
  useEffect(() => setTicked(NONE), [key]);
  const chosen = ticked.beyond ? ticked.ids : new Set(ids.filter((id) => ticked.ids.has(id)));
  /** One, or with `range` all from the last one on. */
  const choose = (id, range) => {
    const [from, to] = [ids.indexOf(last.current), ids.indexOf(id)].sort((one, other) => one - other);
    const next = new Set(chosen);
    const on = !chosen.has(id);
    for (const each of range && from >= 0 ? ids.slice(from, to + 1) : [id]) on ? next.add(each) : next.delete(each);
    last.current = id;
    setTicked({ ids: next, beyond: ticked.beyond });
  };
  const chooseAll = (all, beyond = false) => setTicked({ ids: new Set(all), beyond });
  return { chosen, beyond: ticked.beyond, choose, chooseAll };
}

/**
 * What is decided of all that are chosen: the box that chooses the whole page, and the buttons in `children`; `disputed`
 * is how many of the chosen are in doubt, `label` what the box says before.
 */
export function BulkBar({ ids, label = 'review.choose_page', choice: { chosen, beyond, chooseAll }, disputed = 0, total, onWhole, work, children }) {
  const whole = ids.length > 0 && ids.every((id) => chosen.has(id));
  return html`<div class=${chosen.size > 0 ? 'bulk bulk-chosen' : 'bulk'} role="toolbar" aria-label=${t('review.bulk')}>
    <label class="row">
      <input type="checkbox" checked=${whole} ref=${(box) => box && (box.indeterminate = chosen.size > 0 && !whole)}
        onChange=${() => chooseAll(whole ? [] : ids)} />
      <span>${chosen.size > 0 ? chosenText(chosen.size, disputed) : t(label)}</span>
    </label>
    <span class="muted bulk-range">${t('bulk.range')}</span>
    ${onWhole && whole && !beyond && total > ids.length && html`<${Button} kind="text" onClick=${onWhole}>${t('bulk.choose_whole', { count: total })}<//>`}
    <div class=${onWhole ? 'bulk-end bulk-end-many' : 'bulk-end'}>
      ${work.progress
        ? html`<span role="status">${t('bulk.progress', work.progress)}</span><${Button} onClick=${work.stop}>${t('bulk.stop')}<//>`
        : children}
    </div>
  </div>`;
}

/** What a button does with so many; without a number, where none is chosen. */
export const countedText = (name, count) => (count > 0 ? t('bulk.counted', { action: t(`memory.action.${name}`), count }) : t(`memory.action.${name}`));

function chosenText(count, disputed) {
  if (disputed === 0) return t('review.chosen', { count });
  return t(disputed === count ? 'review.chosen_disputed' : 'review.chosen_some_disputed', { count, disputed });
}

/**
 * Decisions about many: {busy, progress, stop, left, run, close}. `run({name, path, body, ids, facts})` posts the ids
 * in batches, without ids the body alone, and tells what was done, with a way back; `left` is what was not, for `Left`,
 * with the words of those on the page by their id. `shown` is how many such a body alone is about, as the page has it.
 */
export function useDeciding(onChanged) {
  const [state, setState] = useState({ busy: '', progress: null });
  const [left, setLeft] = useState(null);
  const stopped = useRef(false);
  useEffect(() => () => (stopped.current = true), []);
  const run = async ({ name, path, body = {}, ids = null, facts, shown = 0 }) => {
    const batches = ids === null ? [body] : cut(ids).map((memory_ids) => ({ ...body, memory_ids }));
    const all = { done: [], left: [], replaced: [], decisions: [] };
    let failed = false;
    stopped.current = false;
    for (const batch of batches) {
      if (stopped.current) break;
      setState({ busy: name, progress: batches.length > 1 ? { done: all.done.length + all.left.length, total: ids.length } : null });
      try {
        const decided = await api.post(path, batch);
        all.done.push(...decided.done);
        all.left.push(...decided.left);
        all.replaced.push(...(decided.replaced ?? []));
        if (decided.done.length > 0) all.decisions.push(decided.decision_id);
      } catch (error) {
        toastError(error);
        failed = true;
        break;
      }
    }
    setState({ busy: '', progress: null });
    onChanged();
    const after = { approve: otherwiseText, restore: waitsText }[name];
    const more = (await namedText('memory.replaced', all.replaced)) + (after ? await after(all.done).catch(() => '') : '');
    // Where the first of them failed, the error has said it all.
    tell(name, all, { left: ids === null ? all.left : [], rest: ids === null || (failed && all.done.length === 0) ? 0 : ids.length - all.done.length - all.left.length, more, facts, shown, onChanged });
    // Whoever decides about all asks for no list of the rest, which is on the page.
    if (all.left.length > 0 && ids !== null) setLeft({ name, items: all.left, facts });
  };
  return { ...state, stop: () => (stopped.current = true), left, run, close: () => setLeft(null) };
}

const cut = (ids) => Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) => ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE));

function tell(name, { done, decisions }, { left, rest, more, facts, shown, onChanged }) {
  // One is named, as far as its words are on the page.
  const fact = done.length === 1 && facts.get(done[0]);
  const what = fact ? t(`bulk.one.${name}`, { fact: formatBrief(fact) }) : t(`bulk.done.${name}`, { count: done.length });
  const stays = ['in_doubt', 'replaces_newer', 'says_otherwise'].flatMap((rule) => {
    const count = left.filter(({ why }) => why === rule).length;
    return count > 0 ? t(`bulk.left_of.${rule}`, { count }) : [];
  });
  const meanwhile = shown - done.length - left.filter(({ why }) => !['in_doubt', 'not_waiting', 'unknown'].includes(why)).length;
  const told = [done.length > 0 && what + more, meanwhile > 0 && t('bulk.meanwhile', { count: meanwhile }), stays.length > 0 && t('bulk.left', { why: stays.join(t('audit.and')) }), rest > 0 && t('bulk.rest', { count: rest })];
  const message = told.filter(Boolean).join(gap());
  if (!message) return;
  // What was too much to keep cannot be taken back.
  if (decisions.length === 0 || !decisions.every(Boolean)) {
    toast({ message });
    return;
  }
  const undo = () => takeBack([...decisions], name).finally(onChanged);
  toast({ message, undo });
}

/** The first of these memories by their words and how many more, in a sentence that begins with the text of `key`, behind another; empty where there are none. */
export async function namedText(key, ids = []) {
  if (ids.length === 0) return '';
  return gap() + t(key) + gap() + (await factsOf(ids)) + t('reason_end');
}

/** What says otherwise than these and is used too, in a sentence behind another; empty where nothing does. */
export async function otherwiseText(ids) {
  if (ids.length > MOST_LEFT) return '';
  const found = await Promise.all(ids.map((id) => api.get(`items/${id}`)));
  const used = found.flatMap(({ otherwise }) => otherwise.filter(({ then }) => then !== 'waits'));
  return namedText('memory.otherwise', [...new Set(used.map(({ memory_id: id }) => id))]);
}

async function factsOf(ids) {
  const facts = ids.slice(0, MOST_NAMED).map((id) => api.get(`items/${id}`).then(({ item }) => [t('toast.fact', { fact: formatBrief(item.fact) })], () => []));
  return [...(await Promise.all(facts)).flat(), ...moreOf(ids)].join(t('audit.and'));
}

const moreOf = (ids) => (ids.length > MOST_NAMED ? [t('review.left_more', { count: ids.length - MOST_NAMED })] : []);

/** How many of those restored wait again, in a sentence behind another. */
async function waitsText(ids) {
  if (ids.length > MOST_LEFT) return '';
  const found = await Promise.all(ids.map((id) => api.get(`items/${id}`)));
  const count = found.filter(({ item }) => ['shadow', 'pending'].includes(item.status)).length;
  return count > 0 ? gap() + t('bulk.restore_waits', { count }) : '';
}

/** What an edit changed of a memory: a field, its value before and after. */
const changedText = ([field, values]) => {
  const [from, to] = values.map((value) => (['type', 'level'].includes(field) ? t(`${field}.${value}`) : value || t('memory.never')));
  return gap() + t('bulk.changed', { field: t(`bulk.changed.${field}`), from: formatBrief(from), to: formatBrief(to) });
};

/** What can be taken back, whoever decided it: the last decision, and the others on demand. */
export function UndoBar() {
  const found = useLoaded(() => api.get('decisions'), []);
  const [busy, run] = useDoing();
  const [open, setOpen] = useState(false);
  const [last, ...others] = (found.data?.decisions ?? []).map((each) => ({ ...each, ends: Date.parse(each.until) }));
  const next = Math.min(...[last, ...others].map((each) => each?.ends ?? Infinity));
  useEffect(() => {
    if (next === Infinity) return undefined;
    const timer = setTimeout(found.reload, Math.max(next - Date.now(), UNDO_CHECK));
    return () => clearTimeout(timer);
  }, [next, found.data]);
  if (!last) return null;
  const back = (id, action) => async () => {
    try {
      toast({ message: await takeBack([id], action) });
    } finally {
      refreshAll();
    }
  };
  const row = ({ decision_id: id, action, count, memory_id: first, until, changed = {}, replaced = [] }) => html`<p key=${id} class=${id === last.decision_id ? 'row undo-bar' : 'row'} role="status">
    <span class="breakable">${t(`bulk.done.${CHANGES[action] ?? action}`, { count })}${gap()}${count === 1 && html`<${Other} told id=${first} />`}${Object.entries(changed).map(changedText)}${replaced.length > 0 && html`${gap()}${t('memory.replaced')}${gap()}${replaced.slice(0, MOST_NAMED).map((each, at) => html`${at > 0 && t('audit.and')}<${Other} told id=${each} />`)}${moreOf(replaced).map((text) => t('audit.and') + text)}${t('reason_end')}`}${count > 1 && action === 'approve' && html`<a href=${linkTo('memories', null, APPROVED)}>${t('bulk.disable_one')}</a>`}</span>
    <${Button} kind="text" busy=${busy} onClick=${() => run(back(id, action))}>${t('action.undo')}<//>
    <span class="muted"><${Countdown} until=${until} /></span></p>`;
  return html`${row(last)}${others.length > 0 &&
  html`<details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${t('bulk.undo_more', { count: others.length })}</summary>${open && others.map(row)}
  </details>`}`;
}

/**
 * Take decisions back, the last first; returns what to say of it: of all that `name` did, or of one memory `told` of it,
 * and of those that stay why. `decisions` keeps those that it did not come to.
 */
export async function takeBack(decisions, name, told = undoneText) {
  const [back, stay, used] = [[], [], []];
  while (decisions.length > 0) {
    const { done, left, replaced = [] } = await api.post(`decisions/${decisions.at(-1)}/undo`);
    decisions.pop();
    back.push(...done);
    stay.push(...left);
    used.push(...replaced);
  }
  const again = await namedText('bulk.used_again', used);
  if (stay.length > 0) {
    const rules = stay.map(({ why }) => why);
    const why = [...new Set(rules)]
      .map((rule) => (hasText(`bulk.stay.${rule}`) ? t(`bulk.stay.${rule}`, { count: rules.filter((each) => each === rule).length }) : rule))
      .join(t('audit.and'));
    return t(back.length > 0 ? 'bulk.undone_but' : 'bulk.undone_none', { back: back.length, why }) + gap() + (await factsOf(stay.map(({ memory_id: id }) => id))) + again;
  }
  const one = back.length === 1 && (await api.get(`items/${back[0]}`).catch(() => null));
  return (one ? told(one.item) : t(['approve', 'reject'].includes(name) ? 'bulk.undone_waits' : 'bulk.undone', { count: back.length })) + again;
}

const undoneText = ({ fact, status }) => t(['shadow', 'pending'].includes(status) ? 'toast.undone_waits' : 'toast.undone_of', { fact: formatBrief(fact) });

/** Why nothing was decided about a memory; `name` is what was to be done. */
export function leftText(why, name) {
  const key = [`left.${why}.${name}`, `left.${why}`, `refused.${why}`].find(hasText);
  return key ? t(key) : why;
}

/** What could not be decided, and why. */
export function Left({ left: { name, items, facts }, view, onClose }) {
  // Those of other pages were not shown, so their words are asked for.
  const others = useLoaded(async () => {
    const ids = items.slice(0, MOST_LEFT).map(({ memory_id: id }) => id).filter((id) => !facts.has(id));
    const found = await Promise.allSettled(ids.map((id) => api.get(`items/${id}`)));
    return new Map(found.flatMap(({ value }) => (value ? [[value.item.memory_id, value.item.fact]] : [])));
  }, [items]);
  return html`<${Dialog} title=${t(`bulk.left.${name}`, { count: items.length })} onClose=${onClose}
    actions=${html`<${Button} kind="filled" data-focus onClick=${onClose}>${t('action.close')}<//>`}>
    <ul class="stacked">
      ${items.slice(0, MOST_LEFT).map(
        ({ memory_id: id, why, detail }) => html`<li key=${id}>
          <a class="breakable" href=${linkTo(view, id)} onClick=${onClose}>${facts.get(id) ?? others.data?.get(id) ?? id}</a>
          <div class="muted">${leftText(why, name)}${gap()}${api.otherOf(why, detail) && html`<${Other} id=${api.otherOf(why, detail)} onClick=${onClose} />`}</div>
        </li>`,
      )}
    </ul>
    ${items.length > MOST_LEFT && html`<p class="muted">${t('review.left_more', { count: items.length - MOST_LEFT })}</p>`}
  <//>`;
}
