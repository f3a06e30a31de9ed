// What the operator must know whatever the view: it does not run, or writes nothing.
import { problemText, sentence } from '../errors.js';
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
      (problem) => html`<div key=${problem.key}>${problem.key && html`<strong title=${problem.key}>${problem.key === 'store' ? t('banner.store') : settingText(problem.key)}</strong>${t('policy.colon')}`}${problem.key ? problemText(problem) : sentence(problemText(problem))}</div>`,
    )}
  </div>`;
}
