// What the operator must know whatever the view: it does not run, or writes nothing.
import { html } from '../preact.js';
import { t } from '../texts.js';
import { settingText } from '../views/policy/settings.js';

export function Banner({ health }) {
  if (!health) return null;
  return html`
    ${health.state !== 'running' && html`<${Stopped} health=${health} />`}
    ${health.read_only && html`<div class="banner banner-warning" role="status">${t('banner.read_only')}</div>`}
  `;
}

function Stopped({ health }) {
  const known = ['disabled', 'paused', 'closed', 'unreachable'];
  const state = known.includes(health.state) ? health.state : 'paused';
  return html`<div class="banner banner-error" role="alert">
    <strong>${t(`banner.${state}`)}</strong>
    ${(health.problems ?? []).map(
      ({ key, why }) => html`<div key=${key}>${key && html`<strong title=${key}>${settingText(key)}</strong>${t('policy.colon')}`}${why}</div>`,
    )}
  </div>`;
}
