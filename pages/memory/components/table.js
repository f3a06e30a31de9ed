// Rows in columns; on a narrow screen each row becomes a card with the columns' names in it.
import { html } from '../preact.js';

/**
 * `columns`: {key, title, cell(row), number?: true}; `rows` with `keyOf(row)`; `label` names the table for those who
 * do not see it.
 */
export function Table({ columns, rows, keyOf, label }) {
  return html`<div class="table-frame">
    <table class="table" aria-label=${label}>
      <thead><tr>${columns.map(({ key, title, number }) => html`<th key=${key} scope="col" class=${number ? 'number' : undefined}>${title}</th>`)}</tr></thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr key=${keyOf(row)}>
            ${columns.map(({ key, title, cell, number }) => html`<td key=${key} data-title=${title} class=${number ? 'number' : undefined}>${cell(row)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
