// Memories: what the bot knows, found by whom, what and how it stands.
import * as api from '../api.js';
import { Filters, OwnerFilter } from '../components/filters.js';
import { LEVELS, ORIGINS, SCOPES, STATUSES, TYPES, ItemMarks, aboutText, choices, confidenceText, ownerText } from '../components/item.js';
import { Pager } from '../components/pager.js';
import { Empty, Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { formatNumber } from '../format.js';
import { refreshHealth } from '../health.js';
import { reloadShown, useLoaded } from '../loading.js';
import { refreshNames, useNames } from '../names.js';
import { html, useEffect } from '../preact.js';
import { goTo, linkTo } from '../route.js';
import { t } from '../texts.js';
import { Memory } from './memory.js';

const PAGE_SIZE = 50;
const SORTS = ['-created', '-updated', '-importance', '-confidence', '-accessed', 'expires', 'created'];

/** What leaves the rows of one owner. */
const EVERYBODY = { scope: undefined, scope_id: undefined, page: undefined };

/** Which instant a row shows, by what the rows are sorted by. */
const SHOWN = { '-updated': 'updated_at', '-accessed': 'last_accessed_at', expires: 'expires_at' };

export function Memories({ route: { id, query }, health }) {
  const names = useNames();
  const found = useLoaded(() => api.get('items', { ...query, page_size: PAGE_SIZE }), [JSON.stringify(query)]);
  useEffect(() => {
    refreshNames();
  }, []);
  const filter = (values, { typed } = {}) => goTo('memories', id, { ...values, page: undefined }, { replace: typed });
  const changed = () => {
    reloadShown();
    refreshHealth();
  };
  return html`
    <${Statuses} counts=${health?.items} query=${query} />
    <${Filters} fields=${fields()} values=${query} onChange=${filter} />
    ${query.scope_id &&
    html`<${OwnerFilter} owner=${names.get(query.scope_id) ?? query.scope_id} href=${linkTo('memories', null, { ...query, ...EVERYBODY })} />`}
    <${Loaded} of=${found}>${(page) =>
      page.total === 0
        ? html`<${Nothing} query=${query} health=${health} />`
        : html`
            <ul class="memories" aria-label=${t('memories.list')}>
              ${page.items.map((item) => html`<${Row} key=${item.memory_id} item=${item} names=${names} query=${query} />`)}
            </ul>
            <${Pager} found=${page} onPage=${(number, how) => goTo('memories', null, { ...query, page: number }, how)} />
          `}<//>
    ${id && html`<${Memory} key=${id} id=${id} names=${names} onChanged=${changed} onClose=${() => goTo('memories', null, query)} query=${query} />`}
  `;
}

const fields = () => [
  { name: 'q', label: t('memories.search'), kind: 'search', always: true },
  { name: 'person', label: t('memories.person'), kind: 'text', placeholder: t('memories.person_hint') },
  { name: 'type', label: t('memories.type'), options: choices('type', TYPES) },
  { name: 'scope', label: t('memories.scope'), options: choices('scope', SCOPES) },
  { name: 'level', label: t('memories.level'), options: choices('level', LEVELS) },
  { name: 'origin', label: t('memories.origin'), options: choices('origin', ORIGINS) },
  { name: 'sort', label: t('memories.sort'), options: SORTS.map((sort) => [sort, t(`memories.sort.${sort}`)]), plain: true },
];

/** The statuses with how many memories have each; one is chosen or none. */
function Statuses({ counts = {}, query }) {
  const link = (status, text, count) => html`<a
    key=${status}
    class="status-link"
    href=${linkTo('memories', null, { ...query, status, page: undefined })}
    aria-current=${(query.status ?? '') === status ? 'true' : undefined}
    title=${status && t(`status_hint.${status}`)}
    >${text}${count !== undefined && html` <span class="muted">${formatNumber(count)}</span>`}</a
  >`;
  return html`<nav class="statuses" aria-label=${t('memories.statuses')}>
    ${link('', t('memories.all'))}
    ${STATUSES.map((status) => link(status, t(`status.${status}`), counts[status] ?? 0))}
  </nav>`;
}

/** One memory in a few words; all of it opens it. */
function Row({ item, names, query }) {
  const about = aboutText(item);
  const at = item[SHOWN[query.sort] ?? 'created_at'];
  const gone = ['deleted', 'superseded', 'expired', 'disabled'].includes(item.status);
  return html`<li class=${gone ? 'memory memory-gone' : 'memory'}>
    <a class="memory-fact" href=${linkTo('memories', item.memory_id, query)}>${item.fact}</a>
    <div class="memory-told muted">
      <span class="breakable">${ownerText(item, names)}</span>
      ${about && html`<span class="breakable">${about}</span>`}
      <span>${confidenceText(item)}</span>
      <${Time} at=${at} />
    </div>
    <div class="memory-marks"><${ItemMarks} item=${item} /></div>
  </li>`;
}

function Nothing({ query, health }) {
  const { sort, page, ...filters } = query;
  if (Object.keys(filters).length > 0) {
    return html`<${Empty} title=${t('memories.none_found')} hint=${t('memories.none_found_hint')}>
      ${query.person && html`<a href=${linkTo('people', null, { q: query.person })}>${t('memories.seek_person', { name: query.person })}</a>`}
      <a href=${linkTo('memories')}>${t('memories.show_all')}</a>
    <//>`;
  }
  const hint = health?.mode ? t(`memories.none_hint.${health.mode}`) : '';
  return html`<${Empty} title=${t('memories.none')} hint=${hint} />`;
}
