// Charts, drawn as SVG. Each is one picture to a screen reader, with its numbers in a table that anybody may open.
import { formatDay, formatNumber } from '../format.js';
import { html, useId } from '../preact.js';
import { t } from '../texts.js';
import { Table } from './table.js';

const HEIGHT = 132;

/** A card with a title, a picture, what its colours mean, and its numbers. `summary` is the picture in words. */
export function ChartCard({ title, summary, legend = [], columns, rows, keyOf, wide = false, children }) {
  const id = useId();
  return html`<section class=${wide ? 'card chart chart-wide' : 'card chart'} aria-labelledby=${id}>
    <h3 id=${id}>${title}</h3>
    <p class="muted">${summary}</p>
    ${children}
    ${legend.length > 1 &&
    html`<ul class="legend">${legend.map(
      ({ key, label, tone }) => html`<li key=${key}><${Swatch} tone=${tone} />${label}</li>`,
    )}</ul>`}
    <details>
      <summary>${t('chart.numbers')}</summary>
      <${Table} label=${title} columns=${columns} rows=${rows} keyOf=${keyOf} />
    </details>
  </section>`;
}

/**
 * One bar a day. `series` are {key, label, tone, of(row)}, one upon the other; `rows` have a `day`. `cap` draws a line
 * at that height, named by `capLabel`. `more` are further columns of the table.
 */
export function DayChart({ title, summary, rows, series, cap = null, capLabel = '', more = [] }) {
  const columns = [
    { key: 'day', title: t('chart.day'), cell: (row) => formatDay(row.day) },
    ...[...series, ...more].map(({ key, label, of }) => ({
      key,
      title: label,
      number: true,
      cell: (row) => formatNumber(of(row)),
    })),
  ];
  return html`<${ChartCard} title=${title} summary=${summary} legend=${series} columns=${columns}
    rows=${[...rows].reverse()} keyOf=${(row) => row.day}>
    <${DayBars} name=${`${title}. ${summary}`} rows=${rows} series=${series} cap=${cap} capLabel=${capLabel} />
  <//>`;
}

function DayBars({ name, rows, series, cap, capLabel }) {
  const sums = rows.map((row) => series.reduce((sum, { of }) => sum + of(row), 0));
  const highest = Math.max(1, ...sums, cap ?? 0);
  const height = (value) => (Math.max(0, value) / highest) * (HEIGHT - 2);
  const step = 100 / Math.max(1, rows.length);
  return html`<div class="day-bars">
    <div class="day-bars-top muted"><span>${formatNumber(highest)}</span>${cap !== null && html`<span>${capLabel}</span>`}</div>
    <svg class="day-bars-picture" role="img" aria-label=${name} width="100%" height=${HEIGHT}>
      <line class="chart-axis" x1="0" x2="100%" y1=${HEIGHT - 0.5} y2=${HEIGHT - 0.5} />
      ${rows.map((row, at) => html`<${DayBar} key=${row.day} row=${row} series=${series} left=${at * step} step=${step} height=${height} />`)}
      ${cap !== null && html`<line class="chart-cap" x1="0" x2="100%" y1=${HEIGHT - height(cap)} y2=${HEIGHT - height(cap)} />`}
    </svg>
    <div class="day-bars-foot muted" aria-hidden="true">
      <span>${rows.length > 0 && short(rows[0].day)}</span><span>${rows.length > 0 && short(rows.at(-1).day)}</span>
    </div>
  </div>`;
}

function DayBar({ row, series, left, step, height }) {
  let top = HEIGHT - 1;
  const told = series.map(({ label, of }) => `${label}: ${formatNumber(of(row))}`).join('\n');
  return html`<g>
    ${series.map(({ key, tone, of }) => {
      const tall = height(of(row));
      top -= tall;
      return html`<rect key=${key} class=${`tone-${tone}`} x=${`${left + step * 0.12}%`} width=${`${step * 0.76}%`} y=${top} height=${tall} />`;
    })}
    <rect class="chart-touch" x=${`${left}%`} width=${`${step}%`} y="0" height=${HEIGHT}><title>${formatDay(row.day)}${'\n'}${told}</title></rect>
  </g>`;
}

const short = (day) => formatDay(day, { month: 'short', day: 'numeric' });

/** Rows of bars that are laid end to end. `rows` are {key, label, values: {series: number}}. */
export function StackedRows({ name, rows, series }) {
  const sums = rows.map(({ values }) => series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0));
  const longest = Math.max(1, ...sums);
  return html`<div class="stacked-rows" role="img" aria-label=${name}>
    ${rows.map(
      ({ key, label, values }, at) => html`<div key=${key} class="stacked-row" aria-hidden="true">
        <span class="stacked-row-label">${label}</span>
        <${Stripe} parts=${series.map((each) => ({ ...each, share: (values[each.key] ?? 0) / longest, count: values[each.key] ?? 0 }))} />
        <span class="stacked-row-sum">${formatNumber(sums[at])}</span>
      </div>`,
    )}
  </div>`;
}

/** Parts of a whole, side by side; each `share` is 0..1 of the width. */
export function Stripe({ parts, height = 16 }) {
  let left = 0;
  return html`<svg class="stripe" width="100%" height=${height} aria-hidden="true">
    <rect class="chart-ground" x="0" y="0" width="100%" height=${height} />
    ${parts.map(({ key, label, tone, share, count }) => {
      const width = Math.max(0, Math.min(1, share)) * 100;
      const x = left;
      left += width;
      return html`<rect key=${key} class=${`tone-${tone}`} x=${`${x}%`} y="0" width=${`${width}%`} height=${height}>
        <title>${count === undefined ? label : `${label}: ${formatNumber(count)}`}</title>
      </rect>`;
    })}
  </svg>`;
}

/** A small square of a chart's colour. */
export const Swatch = ({ tone }) =>
  html`<svg class="swatch" width="10" height="10" aria-hidden="true"><rect class=${`tone-${tone}`} width="10" height="10" rx="2" /></svg>`;
