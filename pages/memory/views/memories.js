// Memories: what the bot knows, found by whom, what and how it stands.
import * as api from '../api.js';
import { Button } from '../components/button.js';
import { BulkBar, Left, UndoBar, countedText, useChosen, useDeciding } from '../components/choosing.js';
import { confirm } from '../components/dialog.js';
import { Filters, OwnerFilter } from '../components/filters.js';
import { GONE, LEVELS, ORIGINS, SCOPES, STATUSES, TYPES, ItemMarks, aboutText, choices, confidenceText, ownerText } from '../components/item.js';
import { Pager } from '../components/pager.js';
import { Empty, Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { toastError } from '../components/toast.js';
import { formatNumber } from '../format.js';
import { refreshAll } from '../health.js';
import { useLoaded } from '../loading.js';
import { refreshNames, useNames, whoseText } from '../names.js';
import { html, useEffect, useState } from '../preact.js';
import { goTo, linkTo } from '../route.js';
import { gap, t } from '../texts.js';
import { Memory } from './memory.js';
import { EditMemory } from './memory_edit.js';

const PAGE_SIZE = 50;
const SORTS = ['-created', '-updated', '-importance', '-confidence', '-accessed', 'expires', 'created'];

/** What leaves the rows of one owner. */
const EVERYBODY = { scope: undefined, scope_id: undefined, page: undefined };
/** What an operator does to many: the button, and what is posted. */
const RESTORE = { status: 'active' };
const DISABLE = { status: 'disabled' };
const FORGET = { status: 'deleted' };
/** Statuses of what is not used any more. */
const UNUSED = [...GONE, 'disabled'];
/** Statuses of what is counted as current. */
const LIVE = STATUSES.filter((status) => !GONE.includes(status));

/** Which instant a row shows, by what the rows are sorted by. */
const SHOWN = { '-updated': 'updated_at', '-accessed': 'last_accessed_at', expires: 'expires_at' };

export function Memories({ route: { id, query }, health }) {
  const names = useNames();
  const found = useLoaded(() => api.get('items', { ...query, page_size: PAGE_SIZE }), [JSON.stringify(query)]);
  useEffect(() => {
    refreshNames();
  }, []);
  const filter = (values, { typed } = {}) => goTo('memories', id, { ...values, page: undefined }, { replace: typed });
  const work = useDeciding(refreshAll);
  /** Why nothing can be changed now; undefined while it can. */
  const held = health?.read_only ? t('banner.read_only') : undefined;
  const facts = new Map((found.data?.items ?? []).map((item) => [item.memory_id, item.fact]));
  const { page: number, ...fitting } = query;
  const choice = useChosen([...facts.keys()], JSON.stringify(fitting));
  const chooseWhole = () => api.get('items/ids', fitting).then(({ memory_ids: ids }) => choice.chooseAll(ids, true), toastError);
  const change = async (name, body, ids) => {
    const agree = name === 'type' ? t(`type.${body.type}`) : countedText(name, ids.length);
    if (choice.beyond && !(await confirm({ title: t('bulk.ask', { count: ids.length }), text: t('bulk.ask_text') + (name === 'restore' ? gap() + t('bulk.ask_restore') : ''), agree, danger: name === 'forget' }))) return;
    await work.run({ name, path: 'items/change', body, ids, facts });
    choice.chooseAll([]);
  };
  const [editing, setEditing] = useState(null);
  const { status, sort, ...narrowing } = fitting;
  const counts = useLoaded(() => (found.data === null || Object.keys(narrowing).length === 0 ? null : countsOf(narrowing)), [JSON.stringify(narrowing), found.data]);
  const row = (item) => html`<${Row} key=${item.memory_id} item=${item} names=${names} query=${query} chosen=${choice.chosen.has(item.memory_id)} held=${held}
    onChoose=${(event) => choice.choose(item.memory_id, event.shiftKey)} onEdit=${() => setEditing(item)} />`;
  return html`
    <${Statuses} counts=${Object.keys(narrowing).length === 0 ? health?.items : counts.data} query=${query} />
    <${Filters} fields=${fields()} values=${query} onChange=${filter} />
    ${query.scope_id &&
    html`<${OwnerFilter} owner=${whoseText(query.scope_id, names)} href=${linkTo('memories', null, { ...query, ...EVERYBODY })} />`}
    ${query.import_id &&
    html`<p class="row"><span>${t('memories.of_import')}</span><a href=${linkTo('memories', null, { ...query, import_id: undefined, page: undefined })}>${t('memories.show_all')}</a></p>`}
    <${Loaded} of=${found}>${(page) =>
      page.total === 0
        ? html`<${Nothing} query=${query} health=${health} />`
        : html`
            <${BulkBar} ids=${[...facts.keys()]} choice=${choice} total=${page.total} onWhole=${chooseWhole} work=${work}>
              ${choice.chosen.size > 0 && html`<${Changes} chosen=${[...choice.chosen]} known=${choice.beyond ? null : new Map(page.items.map((item) => [item.memory_id, item.status]))} busy=${work.busy} held=${held} onChange=${change} />`}
            <//>
            <ul class="memories" aria-label=${t('memories.list')}>${page.items.map(row)}</ul>
            <${Pager} found=${page} onPage=${(number, how) => goTo('memories', null, { ...query, page: number }, how)} />
          `}<//>
    <${UndoBar} />
    ${id && html`<${Memory} key=${id} id=${id} names=${names} onChanged=${refreshAll} onClose=${() => goTo('memories', null, query)} query=${query} />`}
    ${editing &&
    html`<${EditMemory} item=${editing} onClose=${() => setEditing(null)} onUndone=${refreshAll} onSaved=${() => {
      setEditing(null);
      refreshAll();
    }} />`}
    ${work.left && html`<${Left} left=${work.left} view="memories" onClose=${work.close} />`}
  `;
}

/** What can be done with those that are `chosen`, each with as many as it changes; their statuses are `known` where all are on the page. */
function Changes({ chosen, known, busy, held, onChange }) {
  const button = (name, body, fits, kind) => {
    const ids = known ? chosen.filter((id) => fits(known.get(id))) : chosen;
    return ids.length > 0 && html`<${Button} kind=${kind} busy=${busy === name} disabled=${busy !== '' || held} title=${held} onClick=${() => onChange(name, body, ids)}>${countedText(name, ids.length)}<//>`;
  };
  const retype = ({ currentTarget: field }) => {
    onChange('type', { type: field.value }, chosen);
    field.value = '';
  };
  return html`${button('disable', DISABLE, (status) => !UNUSED.includes(status))}${button('restore', RESTORE, (status) => UNUSED.includes(status))}
    <select class="input" aria-label=${t('bulk.type')} disabled=${busy !== '' || held} title=${held} onChange=${retype}>
      <option value="">${t('bulk.type')}</option>
      ${choices('type', TYPES).map(([type, text]) => html`<option key=${type} value=${type}>${text}</option>`)}
    </select>
    ${button('forget', FORGET, (status) => status !== 'deleted', 'danger')}`;
}

const fields = () => [
  { name: 'q', label: t('memories.search'), kind: 'search', always: true, focused: true },
  { name: 'person', label: t('memories.person'), kind: 'text', placeholder: t('person.placeholder') },
  { name: 'author', label: t('memories.author'), kind: 'person' },
  { name: 'since', label: t('memories.since'), kind: 'date' },
  { name: 'until', label: t('memories.until'), kind: 'date' },
  { name: 'type', label: t('memories.type'), options: choices('type', TYPES).map(([type, text]) => [type, type === 'episode' ? t('memories.type_or_note') : text]) },
  { name: 'scope', label: t('memories.scope'), options: choices('scope', SCOPES) },
  { name: 'level', label: t('memories.level'), options: choices('level', LEVELS) },
  { name: 'origin', label: t('memories.origin'), options: choices('origin', ORIGINS) },
  { name: 'sort', label: t('memories.sort'), options: SORTS.map((sort) => [sort, t(`memories.sort.${sort}`)]), plain: true },
];

/** How many memories of each status fit the filters, asked one after the other: the list goes first. */
async function countsOf(narrowing) {
  const counts = {};
  for (const status of STATUSES) counts[status] = (await api.get('items', { ...narrowing, status, page_size: 1 })).total;
  return counts;
}

/** The statuses with how many of the memories that fit have each; one is chosen or none. */
function Statuses({ counts, query }) {
  const link = (status, text, count) => html`<a
    key=${status}
    class="status-link"
    href=${linkTo('memories', null, { ...query, status, page: undefined })}
    aria-current=${(query.status ?? '') === status ? 'true' : undefined}
    title=${status && t(`status_hint.${status}`)}
    >${text} <span class="muted status-count">${Number.isInteger(count) && formatNumber(count)}</span></a
  >`;
  const sum = (statuses) => counts && statuses.reduce((all, status) => all + (counts[status] ?? 0), 0);
  return html`<nav class="statuses" aria-label=${t('memories.statuses')}>
    ${link('', t('memories.all'), sum(STATUSES))}
    ${link('live', t('status.live'), sum(LIVE))}
    ${STATUSES.map((status) => link(status, t(`status.${status}`), sum([status])))}
  </nav>`;
}

/** One memory in a few words; all of it opens it. */
function Row({ item, names, query, chosen, held, onChoose, onEdit }) {
  const about = aboutText(item);
  const at = item[SHOWN[query.sort] ?? 'created_at'];
  return html`<li class=${UNUSED.includes(item.status) ? 'memory memory-gone' : 'memory'}>
    <input type="checkbox" checked=${chosen} aria-label=${t('review.choose', { fact: item.fact })} onClick=${onChoose} />
    <a class="memory-fact" href=${linkTo('memories', item.memory_id, query)}>${item.fact}</a>
    <div class="memory-told muted">
      <span class="breakable" title=${item.scope_id}>${ownerText(item, names)}</span>
      ${about && html`<span class="breakable">${about}</span>`}
      <span>${confidenceText(item)}</span>
      <${Time} at=${at} />
    </div>
    <div class="memory-marks"><${ItemMarks} item=${item} /></div>
    ${!GONE.includes(item.status) &&
    html`<${Button} kind="text" disabled=${held} title=${held} aria-label=${t('memory.edit_which', { fact: item.fact })} onClick=${onEdit}>${t('memory.edit')}<//>`}
  </li>`;
}

function Nothing({ query, health }) {
  const { sort, page, ...filters } = query;
  if (Object.keys(filters).length > 0) {
    const onlyStatus = query.status && Object.keys(filters).length === 1;
    return html`<${Empty} title=${onlyStatus ? t('memories.none_of_status', { status: t(`status.${query.status}`) }) : t('memories.none_found')} hint=${t('memories.none_found_hint')}>
      ${query.person && html`<a href=${linkTo('people', null, { q: query.person })}>${t('memories.seek_person', { name: query.person })}</a>`}
      <a href=${linkTo('memories')}>${t('memories.show_all')}</a>
    <//>`;
  }
  const hint = health?.mode ? t(`memories.none_hint.${health.mode}`) : '';
  return html`<${Empty} title=${t('memories.none')} hint=${hint} />`;
}
