// Memories by type and status, their growth, recalls, and what the model was asked.
import { ChartCard, DayChart, StackedRows } from '../../components/chart.js';
import { STATUSES, TYPES } from '../../components/item.js';
import { formatNumber } from '../../format.js';
import { html } from '../../preact.js';
import { linkTo } from '../../route.js';
import { t } from '../../texts.js';

/** Statuses of one colour: what is used, what waits, and what is not used any more. */
const GROUPS = [
  ['active', 3, ['active']],
  ['shadow', 1, ['shadow']],
  ['pending', 2, ['pending']],
  ['gone', 6, ['disabled', 'superseded', 'expired', 'deleted']],
];

/** Days from which on bars say more than sums. */
const WEEK = 7;

export function Charts({ stats, cap }) {
  const begun = stats.growth.findIndex(({ items, events }) => items + events > 0);
  const young = begun === -1 || stats.growth.length - begun < WEEK;
  return html`<div class="charts">
    <${Kinds} types=${stats.types} />
    ${young
      ? html`<${Sums} stats=${stats} />`
      : html`<${Growth} days=${stats.growth} /><${Recalls} days=${stats.recalls} />
          <${Calls} days=${stats.tokens} /><${Tokens} days=${stats.tokens} cap=${cap} />`}
  </div>`;
}

/** The first days in numbers. */
function Sums({ stats: { growth, recalls, tokens } }) {
  const numbers = [
    ['new_events', sum(growth, 'events')],
    ['new_items', sum(growth, 'items')],
    ['sum_recalls', sum(recalls, 'total')],
    ['recalls_empty', sum(recalls, 'empty')],
    ['sum_calls', sum(tokens, 'calls')],
    ['sum_tokens', sum(tokens, 'prompt_tokens') + sum(tokens, 'answer_tokens')],
  ];
  return html`<section class="card chart chart-wide" aria-labelledby="first-days">
    <h3 id="first-days">${t('overview.first_days')}</h3>
    <p class="muted">${t('overview.first_days_hint')}</p>
    <dl class="counts">${numbers.map(([name, value]) => html`<div key=${name}><dt>${t(`overview.${name}`)}</dt><dd>${formatNumber(value)}</dd></div>`)}</dl>
  </section>`;
}

function Kinds({ types }) {
  const series = GROUPS.map(([key, tone]) => ({ key, tone, label: t(`overview.group.${key}`) }));
  const rows = TYPES.map((type) => ({
    key: type,
    label: t(type === 'episode' ? 'memories.type_or_note' : `type.${type}`),
    counts: types[type] ?? {},
    values: Object.fromEntries(GROUPS.map(([key, , statuses]) => [key, statuses.reduce((sum, each) => sum + (types[type]?.[each] ?? 0), 0)])),
  }));
  const total = rows.reduce((sum, { counts }) => sum + added(Object.values(counts)), 0);
  const columns = [
    { key: 'type', title: t('overview.type'), cell: (row) => row.label },
    ...STATUSES.map((status) => ({
      key: status,
      title: t(`status.${status}`),
      number: true,
      cell: (row) => html`<${Count} type=${row.key} status=${status} count=${row.counts[status] ?? 0} />`,
    })),
  ];
  const summary = t('overview.kinds_summary', { count: total });
  const title = t('overview.kinds');
  return html`<${ChartCard} wide title=${title} summary=${summary} legend=${series} columns=${columns} rows=${rows} keyOf=${({ key }) => key}>
    <${StackedRows} name=${`${title}. ${summary}`} rows=${rows} series=${series} />
  <//>`;
}

const Count = ({ type, status, count }) =>
  count > 0 ? html`<a href=${linkTo('memories', null, { type, status })}>${formatNumber(count)}</a>` : '0';

const Growth = ({ days }) => html`<${DayChart} title=${t('overview.growth')} rows=${days}
  summary=${t('overview.growth_summary', { items: sum(days, 'items'), events: sum(days, 'events') })}
  series=${[{ key: 'items', label: t('overview.new_items'), tone: 3, of: ({ items }) => items }]}
  more=${[{ key: 'events', label: t('overview.new_events'), of: ({ events }) => events }]} />`;

const Recalls = ({ days }) => html`<${DayChart} title=${t('overview.recalls')} rows=${days}
  summary=${t('overview.recalls_summary', { total: sum(days, 'total'), empty: sum(days, 'empty') })}
  series=${[
    { key: 'empty', label: t('overview.recalls_empty'), tone: 2, of: ({ empty }) => empty },
    { key: 'found', label: t('overview.recalls_found'), tone: 1, of: ({ total, empty }) => total - empty },
  ]} />`;

const Calls = ({ days }) => html`<${DayChart} title=${t('overview.calls')} rows=${days}
  summary=${t('overview.calls_summary', { count: sum(days, 'calls') })}
  series=${[{ key: 'calls', label: t('overview.calls_label'), tone: 4, of: ({ calls }) => calls }]} />`;

const Tokens = ({ days, cap }) => html`<${DayChart} title=${t('overview.tokens')} rows=${days} cap=${cap}
  capLabel=${cap === null ? '' : t('overview.cap', { cap })}
  summary=${t('overview.tokens_summary', { count: sum(days, 'prompt_tokens') + sum(days, 'answer_tokens') })}
  series=${[
    { key: 'prompt', label: t('overview.prompt_tokens'), tone: 1, of: (day) => day.prompt_tokens },
    { key: 'answer', label: t('overview.answer_tokens'), tone: 5, of: (day) => day.answer_tokens },
  ]} />`;

const added = (numbers) => numbers.reduce((sum, each) => sum + each, 0);
const sum = (days, name) => added(days.map((day) => day[name]));
