// The few numbers one looks for first, each leading to what it counts.
import { formatNumber } from '../../format.js';
import { html } from '../../preact.js';
import { linkTo } from '../../route.js';
import { t } from '../../texts.js';

export function Numbers({ health }) {
  const held = health.items ?? {};
  const numbers = [
    ['active', held.active ?? 0, linkTo('memories', null, { status: 'active' })],
    ['waiting', health.waiting ?? 0, linkTo('review')],
    ['recalls', health.recalls ?? 0, linkTo('recalls')],
    ['recalls_empty', health.recalls_empty ?? 0, linkTo('recalls', null, { empty: 'true' })],
  ];
  return html`<ul class="numbers">
    ${numbers.map(
      ([name, value, href]) => html`<li key=${name}><a class="card number-card" href=${href}>
        <strong>${formatNumber(value)}</strong><span class="muted">${t(`overview.number.${name}`)}</span>
      </a></li>`,
    )}
    <li class="card number-card">
      <strong>${formatNumber(health.tokens_today ?? 0)}</strong>
      <span class="muted">${t('overview.number.tokens', { cap: health.token_cap ?? 0, calls: health.calls_today ?? 0 })}</span>
    </li>
  </ul>`;
}
