// Settings that differ, as before and after.
import { html } from '../../preact.js';
import { t } from '../../texts.js';
import { labelOf, valueText } from './settings.js';

export function Changes({ changes }) {
  if (changes.length === 0) return html`<span class="muted">${t('policy.no_changes')}</span>`;
  return html`<ul class="changes">
    ${changes.map(
      ({ field, before, after }) => html`<li key=${field}>
        <span>${labelOf(field)}</span>${t('policy.colon')}
        <del class="muted">${valueText(field, before)}</del> <span aria-hidden="true">→</span> <ins>${valueText(field, after)}</ins>
      </li>`,
    )}
  </ul>`;
}
