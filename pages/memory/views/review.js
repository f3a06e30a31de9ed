// Review: what waits, why, and from which words; decided one by one or many at once.
import * as api from '../api.js';
import { Button } from '../components/button.js';
import { Chip } from '../components/chip.js';
import { Dialog, confirm } from '../components/dialog.js';
import { Filters, OwnerFilter } from '../components/filters.js';
import { ItemMarks, aboutText, confidenceText, nameText, ownerText } from '../components/item.js';
import { Pager } from '../components/pager.js';
import { PersonField, usePerson } from '../components/person.js';
import { Quote } from '../components/quote.js';
import { Empty, Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { toast, toastError } from '../components/toast.js';
import { reasonText } from '../errors.js';
import { refreshHealth } from '../health.js';
import { reloadShown, useLoaded } from '../loading.js';
import { refreshNames, useNames } from '../names.js';
import { html, useEffect, useRef, useState } from '../preact.js';
import { goTo, linkTo } from '../route.js';
import { hasText, t } from '../texts.js';
import { Memory } from './memory.js';

const PAGE_SIZE = 50;
const MOST_QUOTES = 3;
const MOST_LEFT = 50;

export function Review({ route: { id, query }, health }) {
  const names = useNames();
  const found = useLoaded(() => api.get('review', { ...query, account: undefined, page_size: PAGE_SIZE }), [JSON.stringify(query)]);
  const [ticked, setChosen] = useState(new Set());
  // What is decided, or on another page by now, is chosen no more.
  const chosen = new Set((found.data?.waiting ?? []).map(({ item }) => item.memory_id).filter((each) => ticked.has(each)));
  const [left, setLeft] = useState(null);
  const [busy, setBusy] = useState('');
  const [person, setPerson] = usePerson(query.account);
  const last = useRef(null);
  useEffect(() => {
    refreshNames();
  }, []);
  useEffect(() => setChosen(new Set()), [JSON.stringify(query)]);
  const changed = () => {
    reloadShown();
    refreshHealth();
  };
  const decide = async (what, body, count) => {
    if (!(await agreed(what, body, count))) return;
    setBusy(what);
    try {
      const decided = await api.post(`review/${what}`, body);
      if (decided.done.length > 0) toast({ message: t(`review.done.${what}`, { count: decided.done.length }) });
      if (decided.left.length > 0) setLeft({ what, items: decided.left, page: found.data });
    } catch (error) {
      toastError(error);
    }
    setBusy('');
    changed();
  };
  const filter = (values) => goTo('review', null, { ...values, page: undefined });
  const choosePerson = (one) => {
    setPerson(one);
    filter({ ...query, account: one?.account, scope_id: one?.scope_id });
  };
  /** Choose one, or with shift all from the last one on. */
  const choose = (id, groups, whole) => {
    const ids = groups.flatMap(([, ones]) => ones.map(({ item }) => item.memory_id));
    const [from, to] = [ids.indexOf(last.current), ids.indexOf(id)].sort((one, other) => one - other);
    const next = new Set(chosen);
    const on = !chosen.has(id);
    for (const each of whole && from >= 0 ? ids.slice(from, to + 1) : [id]) on ? next.add(each) : next.delete(each);
    last.current = id;
    setChosen(next);
  };
  return html`
    <p class="muted">${t(`review.explained.${health?.mode ?? 'shadow'}`)}</p>
    ${query.scope_id &&
    !query.account &&
    html`<${OwnerFilter} owner=${names.get(query.scope_id) ?? query.scope_id} href=${linkTo('review', null, { ...query, scope_id: undefined, page: undefined })} />`}
    <${Loaded} of=${found}>${(page) => {
      const groups = byReason(page.waiting);
      return html`
        ${(page.total > 0 || query.reason || query.account) &&
        html`<div class="review-filters">
          <${Filters} fields=${[reasons(page.reasons)]} values=${query} onChange=${filter} />
          <${PersonField} label=${t('recalls.person')} value=${person} onValue=${choosePerson} />
        </div>`}
        ${page.total === 0
          ? html`<${Empty} title=${t(query.reason || query.account ? 'review.none_found' : 'review.none')} hint=${t('review.none_hint')} />`
          : html`
              <${Bulk} page=${page} chosen=${chosen} setChosen=${setChosen} busy=${busy} reason=${query.reason} onDecide=${decide} whole=${!query.scope_id} />
              ${groups.map(
                ([reason, ones]) => html`<section key=${reason} class="waiting-group">
                  <h3>${t('review.reason_count', { reason: reasonText(reason), count: ones.length })}</h3>
                  <ul class="memories" aria-label=${t('review.list')}>
                    ${ones.map(
                      (one) => html`<${Waiting} key=${one.item.memory_id} one=${one} names=${names} query=${query} busy=${busy}
                        chosen=${chosen.has(one.item.memory_id)} onChoose=${(event) => choose(one.item.memory_id, groups, event.shiftKey)}
                        onDecide=${(what) => decide(what, { memory_ids: [one.item.memory_id] }, 1)} />`,
                    )}
                  </ul>
                </section>`,
              )}
              <${Pager} found=${page} onPage=${(number, how) => goTo('review', null, { ...query, page: number }, how)} />
            `}
      `;
    }}<//>
    ${id && html`<${Memory} key=${id} id=${id} names=${names} query=${{}} onChanged=${changed} onClose=${() => goTo('review', null, query)} />`}
    ${left && html`<${Left} left=${left} onClose=${() => setLeft(null)} />`}
  `;
}

/** Many are asked about, and whatever is rejected. */
function agreed(what, body, count) {
  if (what === 'approve' && !body.all) return true;
  const kind = body.all ? `${what}_all` : what;
  return confirm({
    title: t(`review.ask.${kind}`, { count }),
    text: t(`review.ask_text.${kind}`),
    agree: t(`memory.action.${what}`),
    danger: what === 'reject',
  });
}

const reasons = (counts) => ({
  name: 'reason',
  label: t('review.reason'),
  always: true,
  options: Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => [reason, t('review.reason_count', { reason: reasonText(reason), count })]),
});

/** [rule, those that wait for it], as they come. */
function byReason(waiting) {
  const groups = new Map();
  for (const one of waiting) {
    const rule = one.item.reason.split(':')[0] || 'mode';
    groups.set(rule, [...(groups.get(rule) ?? []), one]);
  }
  return [...groups];
}

/** What is decided of all that are chosen; the whole page is chosen at once. */
function Bulk({ page, chosen, setChosen, busy, reason, onDecide, whole }) {
  const ids = page.waiting.map(({ item }) => item.memory_id);
  const all = chosen.size === ids.length;
  const body = { memory_ids: [...chosen] };
  const button = (what, kind) => html`<${Button} kind=${kind} busy=${busy === what} disabled=${busy !== '' || chosen.size === 0}
    onClick=${() => onDecide(what, body, chosen.size)}>${chosen.size > 0 ? t(`review.${what}`, { count: chosen.size }) : t(`memory.action.${what}`)}<//>`;
  return html`<div class="bulk" role="toolbar" aria-label=${t('review.bulk')}>
    <label class="row">
      <input type="checkbox" checked=${all} ref=${(box) => box && (box.indeterminate = chosen.size > 0 && !all)}
        onChange=${() => setChosen(all ? new Set() : new Set(ids))} />
      <span>${chosen.size > 0 ? t('review.chosen', { count: chosen.size }) : t('review.choose_page', { count: ids.length })}</span>
    </label>
    <div class="bulk-end">
      ${button('approve', 'filled')}${button('reject', 'danger')}
      ${whole &&
      html`<${Button} kind="text" disabled=${busy !== ''} onClick=${() => onDecide('approve', reason ? { all: true, reason } : { all: true }, page.total)}>
        ${t('review.approve_all')}
      <//>`}
    </div>
  </div>`;
}

/** One that waits, on a line; opened it shows the words it rests on, and what exactly is in doubt. */
function Waiting({ one: { item, evidence, ends_soon: endsSoon }, names, query, chosen, busy, onChoose, onDecide }) {
  const about = aboutText(item);
  return html`<li class="waiting">
    <input type="checkbox" checked=${chosen} aria-label=${t('review.choose', { fact: item.fact })} onClick=${onChoose} />
    <details class="waiting-told">
      <summary>
        <span class="waiting-fact" title=${item.fact}>${item.fact}</span>
        <span class="waiting-who muted" title=${ownerText(item, names)}>${nameText(item, names)}</span>
        ${endsSoon && html`<${Chip} tone="warning" title=${t('review.ends_soon_hint')}>${t('review.ends_soon')}<//>`}
      </summary>
      <div class="memory-told muted">
        ${about && html`<span class="breakable">${about}</span>`}
        <span>${confidenceText(item)}</span>
        <${Time} at=${item.created_at} />
        <a href=${linkTo('review', item.memory_id, query)}>${t('review.open')}</a>
      </div>
      ${item.reason.includes(':') && html`<p>${reasonText(item.reason)}</p>`}
      <div class="row"><${ItemMarks} item=${item} /></div>
      ${evidence.slice(0, MOST_QUOTES).map((each) => html`<${Quote} key=${each.evidence_id} evidence=${each} names=${names} />`)}
      ${evidence.length === 0 && html`<p class="muted">${t('memory.no_evidence')}</p>`}
      ${evidence.length > MOST_QUOTES && html`<p class="muted">${t('review.more_quotes', { count: evidence.length - MOST_QUOTES })}</p>`}
    </details>
    <div class="waiting-foot">
      <${Button} kind="text" disabled=${busy !== ''} onClick=${() => onDecide('approve')}>${t('memory.action.approve')}<//>
      <${Button} kind="text" disabled=${busy !== ''} onClick=${() => onDecide('reject')}>${t('memory.action.reject')}<//>
    </div>
  </li>`;
}

/** What could not be decided, and why. */
function Left({ left: { what, items, page }, onClose }) {
  const facts = new Map(page.waiting.map(({ item }) => [item.memory_id, item.fact]));
  return html`<${Dialog} title=${t(`review.left.${what}`, { count: items.length })} onClose=${onClose}
    actions=${html`<${Button} kind="filled" data-focus onClick=${onClose}>${t('action.close')}<//>`}>
    <ul class="stacked">
      ${items.slice(0, MOST_LEFT).map(
        ({ memory_id: id, why }) => html`<li key=${id}>
          <a class="breakable" href=${linkTo('review', id)} onClick=${onClose}>${facts.get(id) ?? id}</a>
          <div class="muted">${hasText(`left.${why}`) ? t(`left.${why}`) : why}</div>
        </li>`,
      )}
    </ul>
    ${items.length > MOST_LEFT && html`<p class="muted">${t('review.left_more', { count: items.length - MOST_LEFT })}</p>`}
  <//>`;
}
