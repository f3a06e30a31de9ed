// Who did what.
import * as api from '../api.js';
import { Actor } from '../components/actor.js';
import { Filters } from '../components/filters.js';
import { Pager } from '../components/pager.js';
import { Section } from '../components/section.js';
import { Empty, Loaded } from '../components/states.js';
import { Table } from '../components/table.js';
import { Time } from '../components/time.js';
import { reasonText } from '../errors.js';
import { useLoaded } from '../loading.js';
import { html } from '../preact.js';
import { goTo, linkTo } from '../route.js';
import { hasText, t } from '../texts.js';

/** What the plugin writes down; another word is shown as it is. */
const ACTIONS = [
  'add', 'confirm', 'revive', 'supersede', 'refuse', 'evict', 'expire', 'purge', 'join', 'compact', 'withdraw',
  'approve', 'reject', 'edit', 'disable', 'restore', 'keep', 'forget', 'undo', 'forget_all', 'erase', 'share', 'unshare', 'pause',
  'resume', 'link', 'unlink', 'policy', 'readonly', 'readwrite', 'retry', 'import', 'undo_import', 'snapshot',
];

export function Audit({ route: { query } }) {
  const { page, ...filters } = query;
  const found = useLoaded(() => api.get('audit', { ...filters, page }), [JSON.stringify(query)]);
  const show = (values, { typed } = {}) => goTo('audit', null, { ...values, page: undefined }, { replace: typed });
  const fields = [
    { name: 'actor', label: t('audit.actor'), kind: 'search', placeholder: t('audit.actor_example'), always: true },
    { name: 'action', label: t('audit.action'), options: ACTIONS.map((each) => [each, actionText(each)]) },
    { name: 'memory_id', label: t('audit.memory'), kind: 'text', placeholder: t('audit.memory_example') },
  ];
  return html`<${Section} title=${t('audit.title')} hint=${t('audit.hint')}>
    <${Filters} fields=${fields} values=${filters} onChange=${show} />
    <${Loaded} of=${found}>${(data) =>
      data.total === 0
        ? html`<${Empty} title=${t('audit.none')} hint=${t(Object.values(filters).some(Boolean) ? 'audit.none_filtered' : 'audit.none_hint')} />`
        : html`<${List} found=${data} onPage=${(next, how) => goTo('audit', null, { ...filters, page: next }, how)} />`}<//>
  <//>`;
}

function List({ found, onPage }) {
  const columns = [
    { key: 'at', title: t('audit.at'), cell: (row) => html`<${Time} at=${row.at} exact />` },
    { key: 'actor', title: t('audit.actor'), cell: (row) => html`<${Actor} actor=${row.actor} />` },
    { key: 'action', title: t('audit.action'), cell: (row) => actionText(row.action) },
    { key: 'change', title: t('audit.change'), cell: (row) => html`<${Change} row=${row} />` },
    { key: 'reason', title: t('audit.reason'), cell: (row) => html`<span class="breakable">${row.reason && whyText(row.reason)}</span>` },
    {
      key: 'memory',
      title: t('audit.memory'),
      cell: (row) => row.memory_id && html`<a href=${linkTo('memories', row.memory_id)}><code class="id">${row.memory_id.slice(0, 8)}</code></a>`,
    },
  ];
  return html`<${Table} label=${t('audit.title')} columns=${columns} rows=${found.audit} keyOf=${(row) => row.id} />
    <${Pager} found=${found} onPage=${onPage} />`;
}

function Change({ row: { before, after } }) {
  if (!before && !after) return null;
  if (before === after) return html`<span class="muted breakable">${stateText(after)}</span>`;
  return html`<span class="breakable">${before ? stateText(before) : '–'} <span aria-hidden="true">→</span> ${after ? stateText(after) : '–'}</span>`;
}

const actionText = (action) => (hasText(`audit_action.${action}`) ? t(`audit_action.${action}`) : action);

/** Most lines tell a status; some a word of their own, or where it was shared and its level. */
const stateText = (state) => state.split(' ').map(stateWord).join(' · ');

function stateWord(word) {
  const key = [`status.${word}`, `mode.${word}`, `audit_state.${word}`, `level.${word}`, `type.${word}`].find(hasText);
  return key ? t(key) : word;
}

/** A rule's reason in words, or how many memories it was about. */
function whyText(reason) {
  const [, count] = /^items=(\d+)$/.exec(reason) ?? [];
  return count ? t('audit.items', { count: Number(count) }) : reasonText(reason);
}
