// Review: what waits, why, and from which words; decided one by one or many at once.
import * as api from '../api.js';
import { Otherwise, Replaces } from '../components/beside.js';
import { Button } from '../components/button.js';
import { Chip } from '../components/chip.js';
import { BulkBar, Left, UndoBar, countedText, useChosen, useDeciding } from '../components/choosing.js';
import { Filters, OwnerFilter } from '../components/filters.js';
import { ItemMarks, aboutText, confidenceText, learntAt, ownerText } from '../components/item.js';
import { Pager } from '../components/pager.js';
import { PersonField, usePerson } from '../components/person.js';
import { Quote } from '../components/quote.js';
import { Empty, Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { reasonHint, reasonText } from '../errors.js';
import { formatAge } from '../format.js';
import { refreshAll } from '../health.js';
import { reloadShown, useLoaded } from '../loading.js';
import { refreshNames, useNames, whoseText } from '../names.js';
import { html, useEffect, useState } from '../preact.js';
import { goTo, linkTo } from '../route.js';
import { gap, t } from '../texts.js';
import { Memory } from './memory.js';
import { EditMemory } from './memory_edit.js';

const PAGE_SIZE = 50;
const MOST_QUOTES = 3;
/** Reasons of what waits only because a rule says so; any other is a doubt. */
const UNDISPUTED = ['mode', 'min_evidence_count', 'require_approval_types', 'max_writes_per_session', 'max_writes_per_hour'];

export function Review({ route: { id, query }, health }) {
  const names = useNames();
  const found = useLoaded(() => api.get('review', { ...query, account: undefined, page_size: PAGE_SIZE }), [JSON.stringify(query)]);
  const [person, setPerson] = usePerson(query.account);
  const [naming, setNaming] = useState(false);
  useRefreshed(found.data, names, health);
  const work = useDeciding(refreshAll);
  /** Why nothing can be decided now; undefined while it can. */
  const held = health?.read_only ? t('banner.read_only') : undefined;
  /** The same of many: whose they are to be is asked for first. */
  const manyHeld = held ?? (naming ? t('review.whose_first') : undefined);
  const groups = byReason(found.data?.waiting ?? []);
  const ones = groups.flatMap(([, each]) => each);
  const facts = new Map(ones.map(({ item }) => [item.memory_id, item.fact]));
  const ids = [...facts.keys()];
  const sure = ones.filter((one) => !isDisputed(one)).map(({ item }) => item.memory_id);
  const choice = useChosen(ids, JSON.stringify(query));
  const decide = (name, { body, ids: about, shown }) => work.run({ name, path: `review/${name}`, body, ids: about, facts, shown });
  const filter = (values) => goTo('review', null, { ...values, page: undefined });
  const choosePerson = (one) => {
    setPerson(one);
    filter({ ...query, account: one?.account, scope_id: one?.scope_id });
  };
  const row = (one) => html`<${Waiting} key=${one.item.memory_id} one=${one} names=${names} query=${query} busy=${work.busy} held=${held}
    chosen=${choice.chosen.has(one.item.memory_id)} onChoose=${(event) => choice.choose(one.item.memory_id, event.shiftKey)}
    onDecide=${(name) => decide(name, { ids: [one.item.memory_id] })} onChanged=${refreshAll} />`;
  return html`
    <p class="muted">${t(`review.explained.${health?.mode ?? 'shadow'}`)}</p>
    ${query.scope_id &&
    !query.account &&
    html`<${OwnerFilter} owner=${whoseText(query.scope_id, names)} href=${linkTo('review', null, { ...query, scope_id: undefined, page: undefined })} />`}
    <${Loaded} of=${found}>${(page) => html`
        ${(page.total > 0 || query.reason || query.account) &&
        html`<div class="review-filters">
          <${Filters} fields=${[reasons(page.reasons, page.waiting, health?.mode === 'manual')]} values=${query} onChange=${filter} />
          <${PersonField} label=${t('recalls.person')} value=${person} onValue=${choosePerson} onOpen=${setNaming} />
        </div>`}
        ${page.total === 0
          ? html`<${Empty} title=${t(query.reason || query.account ? 'review.none_found' : 'review.none')} hint=${t('review.none_hint')} />`
          : html`
              <${BulkBar} ids=${sure.length > 0 ? sure : ids} label=${sure.length > 0 && sure.length < ids.length ? 'review.choose_sure' : undefined} choice=${choice} disputed=${[...choice.chosen].filter((each) => !sure.includes(each)).length} total=${page.total} work=${work}>
                <${Decisions} more=${page.total > ids.length} chosen=${choice.chosen} busy=${work.busy} held=${manyHeld} query=${query} reasons=${page.reasons} outdated=${ones.filter((one) => UNDISPUTED.includes(ruleOf(one.item)) && isContested(one)).length} since=${page.changed_at} onDecide=${decide} />
              <//>
              ${groups.map(
                ([reason, ones]) => html`<section key=${reason} class="waiting-group">
                  <h3>${t('review.reason_count', { reason: heading(reason, ones), count: page.reasons[reason] ?? ones.length })}</h3>
                  <ul class="memories" aria-label=${t('review.list')}>${ones.map(row)}</ul>
                </section>`,
              )}
              <${Pager} found=${page} onPage=${(number, how) => goTo('review', null, { ...query, page: number }, how)} />
            `}
      `}<//>
    <${UndoBar} />
    ${id && html`<${Memory} key=${id} id=${id} names=${names} query=${{}} onChanged=${refreshAll} onClose=${() => goTo('review', null, query)} />`}
    ${work.left && html`<${Left} left=${work.left} view="review" onClose=${work.close} />`}
  `;
}

/** Ask for the names, and for the list, where what is shown is not what there is by now. */
function useRefreshed(shown, names, health) {
  // Who spoke for the first time has a name by now.
  const nameless = (shown?.waiting ?? []).some(({ item }) => item.scope === 'user' && !names.has(item.scope_id));
  useEffect(() => {
    if (nameless || !shown) refreshNames();
  }, [shown]);
  // Somebody else has decided, or more was learnt.
  useEffect(() => {
    if (shown && health?.waiting !== undefined && health.waiting !== shown.total) reloadShown();
  }, [health?.waiting]);
}

const reasons = (counts, waiting, manual) => ({
  name: 'reason',
  label: t('review.reason'),
  always: true,
  options: Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => [reason, t('review.reason_count', { reason: heading(reason, waiting, manual), count })]),
});

/** The reason of a group without its full stop; those that wait for the mode may do so for both modes. */
function heading(reason, waiting, manual) {
  const statuses = new Set(waiting.filter(({ item }) => ruleOf(item) === reason).map(({ item }) => item.status));
  const text = reason === 'mode' && statuses.size > 1 ? t('reason.mode_both') : reasonText(reason, [...statuses][0] ?? (manual ? 'pending' : 'shadow'));
  return text.replace(/[.。]$/, '');
}

const ruleOf = ({ reason }) => reason.split(':')[0] || 'mode';

/** Whether its approval would take a memory out of use that was confirmed later. */
const replacesNewer = ({ replaces = [] }) => replaces.some(({ newer }) => newer);

/** Whether its approval would leave another that says otherwise in use or waiting. */
const staysBeside = ({ otherwise = [] }) => otherwise.some(({ then }) => ['both', 'waits'].includes(then));

/** Whether the approval of all leaves it though its reason is undisputed. */
const isContested = (one) => replacesNewer(one) || staysBeside(one);

const isDisputed = (one) => !UNDISPUTED.includes(ruleOf(one.item)) || isContested(one);

/** [rule, those that wait for it]: what is undisputed first, in an order that no decision changes. */
function byReason(waiting) {
  const groups = new Map();
  for (const one of waiting) {
    const rule = ruleOf(one.item);
    groups.set(rule, [...(groups.get(rule) ?? []), one]);
  }
  const place = ([rule]) => (UNDISPUTED.includes(rule) ? UNDISPUTED.indexOf(rule) : UNDISPUTED.length);
  return [...groups].sort((one, other) => place(one) - place(other) || (one[0] < other[0] ? -1 : 1));
}

/** `outdated` is how many of the page the approval of all leaves although their reason is undisputed; there may be `more` pages. */
function Decisions({ more, chosen, busy, held, query: { reason, scope_id: owner }, reasons, outdated, since, onDecide }) {
  const undisputed = UNDISPUTED.filter((each) => !reason || each === reason).reduce((sum, each) => sum + (reasons[each] ?? 0), -outdated);
  const nothingElse = undisputed === (reason ? reasons[reason] : Object.values(reasons).reduce((sum, each) => sum + each, 0));
  const button = (name, kind) => html`<${Button} kind=${kind} busy=${busy === name} disabled=${busy !== '' || held || chosen.size === 0} title=${held}
    onClick=${() => onDecide(name, { ids: [...chosen] })}>${countedText(name, chosen.size)}<//>`;
  // The other two are at the right end, where they stay when this one changes its words or goes.
  return html`${!owner &&
    undisputed > 0 &&
    html`<${Button} kind="text" disabled=${busy !== '' || held} title=${held ?? t('review.approve_all_hint')} onClick=${() => onDecide('approve', { body: { all: true, ...(reason && { reason }), unchanged_since: since }, shown: undisputed + outdated })}>
      ${t(more ? 'review.approve_all_most' : nothingElse ? 'review.approve_whole' : 'review.approve_all', { count: undisputed })}
    <//>`}${button('approve', 'filled')}${button('reject', 'danger')}`;
}

/** One that waits, on a line; opened it shows the words it rests on, and what exactly is in doubt. */
function Waiting({ one, names, query, chosen, busy, held, onChoose, onDecide, onChanged }) {
  const { item, evidence, ends_soon: endsSoon, replaces = [], otherwise = [] } = one;
  const [editing, setEditing] = useState(false);
  const hint = reasonHint(item.reason);
  const about = aboutText(item);
  const button = (text, onClick) => html`<${Button} kind="text" disabled=${busy !== '' || held} title=${held} onClick=${onClick}>${t(text)}<//>`;
  // With Shift the row is chosen wherever it is clicked; no words are marked by that.
  const mark = (event) => event.shiftKey && event.preventDefault();
  const choose = (event) => {
    if (!event.shiftKey) return;
    event.preventDefault();
    onChoose(event);
  };
  return html`<li class="waiting">
    <input type="checkbox" checked=${chosen} aria-label=${t('review.choose', { fact: item.fact })} onClick=${onChoose} />
    <details class="waiting-told">
      <summary onMouseDown=${mark} onClick=${choose}>
        <span class="waiting-fact" title=${item.fact}>${item.fact}</span>
        <span class="waiting-who muted" title=${item.scope_id}>${ownerText(item, names)}</span>
        ${replaces.length > 0 && html`<${Chip} tone=${replacesNewer(one) ? 'warning' : undefined} title=${replaces.map(({ fact }) => fact).join('\n')}>${t(replacesNewer(one) ? 'review.replaces_newer' : 'review.replaces_some', { count: replaces.length })}<//>`}
        ${staysBeside(one) && html`<${Chip} tone="warning" title=${otherwise.map(({ fact }) => fact).join('\n')}>${t('review.otherwise')}<//>`}
        ${endsSoon && html`<${Chip} tone="warning" title=${t('review.ends_soon_hint')}>${item.expires_at ? t('review.ends_at', { age: formatAge(item.expires_at) }) : t('review.ends_soon')}<//>`}
      </summary>
      <div class="memory-told muted">
        ${about && html`<span class="breakable">${about}</span>`}
        <span>${confidenceText(item)}</span>
        <${Time} at=${learntAt(item)} />
        <a href=${linkTo('review', item.memory_id, query)}>${t('review.open')}</a>
        ${button('memory.edit', () => setEditing(true))}
      </div>
      <${Replaces} these=${replaces} link=${(id) => linkTo('review', id, query)} />
      <${Otherwise} these=${otherwise} link=${(id) => linkTo('review', id, query)} />
      ${(item.reason.includes(':') || hint) && html`<p>${reasonText(item.reason)}${hint && gap() + hint}</p>`}
      <div class="row"><${ItemMarks} told item=${item} /></div>
      ${evidence.slice(0, MOST_QUOTES).map((each) => html`<${Quote} key=${each.evidence_id} evidence=${each} names=${names} />`)}
      ${evidence.length === 0 && html`<p class="muted">${t('memory.no_evidence')}</p>`}
      ${evidence.length > MOST_QUOTES && html`<p class="muted">${t('review.more_quotes', { count: evidence.length - MOST_QUOTES })}</p>`}
    </details>
    ${editing &&
    html`<${EditMemory} item=${item} evidence=${evidence} onClose=${() => setEditing(false)} onUndone=${onChanged} onSaved=${() => {
      setEditing(false);
      onChanged();
    }} />`}
    <div class="waiting-foot">
      ${button('memory.action.approve', () => onDecide('approve'))} ${button('memory.action.reject', () => onDecide('reject'))}
    </div>
  </li>`;
}
