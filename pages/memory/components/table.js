// Rows in columns; on a narrow screen each row becomes a card with the columns' names in it.
import { html, useLayoutEffect, useRef } from '../preact.js';

/**
 * `columns`: {key, title, cell(row), number?: true, wide?: true, lead?: true, detail?: true}; `rows` with `keyOf(row)`; `label` names
 * the table for those who do not see it. A wide one holds a sentence. With a lead, cards begin with it and leave out the details.
 * `steady` keeps the row under the pointer where it is when others come above it.
 */
export function Table({ columns, rows, keyOf, label, steady = false }) {
  const frame = useRef(null);
  // Looked up before the new rows are drawn, and its place again after that.
  const held = steady ? frame.current?.querySelector('tbody tr:is(:hover, :focus-within)') : null;
  const top = held?.getBoundingClientRect().top;
  useLayoutEffect(() => {
    if (held?.isConnected) window.scrollBy(0, held.getBoundingClientRect().top - top);
  });
  const folded = columns.some(({ lead }) => lead);
  const styleOf = (column) => ['number', 'wide', 'lead', 'detail'].filter((each) => column[each]).join(' ') || undefined;
  return html`<div class="table-frame" ref=${frame}>
    <table class=${folded ? 'table table-folded' : 'table'} aria-label=${label}>
      <thead><tr>${columns.map(({ key, title, number }) => html`<th key=${key} scope="col" class=${number ? 'number' : undefined}>${title}</th>`)}</tr></thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr key=${keyOf(row)}>
            ${columns.map((column) => html`<td key=${column.key} data-title=${column.title} class=${styleOf(column)}>${column.cell(row)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
