// How the plugin is doing, in plain words: what is wrong, and what to do about it.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { coded } from '../../components/coded.js';
import { toast } from '../../components/toast.js';
import { useDoing } from '../../doing.js';
import { refreshHealth } from '../../health.js';
import { html } from '../../preact.js';
import { linkTo } from '../../route.js';
import { t } from '../../texts.js';
import { changeReadOnly } from './changes.js';
import { FailedMessages } from './failed.js';
import { Work } from './work.js';
import { troublesOf } from './troubles.js';

const ACTS = {
  end_read_only: () => changeReadOnly(false),
  retry: async () => {
    const { retried } = await api.post('jobs/retry');
    await refreshHealth();
    toast({ message: t('overview.retried', { count: retried }) });
  },
};

export function Health({ health }) {
  const troubles = troublesOf(health);
  const grave = troubles.some(({ tone }) => tone !== 'neutral');
  return html`<div class="card health">
    ${!grave && html`<p class="all-well"><span aria-hidden="true">✓</span> ${t('overview.all_well', { version: health.version })}</p>`}
    ${troubles.length > 0 &&
    html`<ul class="troubles">${troubles.map((each) => html`<${Trouble} key=${each.name} trouble=${each} health=${health} />`)}</ul>`}
    ${(health.notes ?? []).map((note) => html`<p key=${note} class="muted breakable">${note}</p>`)}
    ${health.events && html`<${Work} health=${health} />`}
  </div>`;
}

function Trouble({ trouble: { name, tone, values, link, act }, health }) {
  const [busy, run] = useDoing();
  const key = `overview.trouble.${name}`;
  return html`<li class=${`trouble trouble-${tone}`}>
    <div class="trouble-words">
      <strong class="breakable">${t(key, values)}</strong>
      <p class="muted breakable">${coded(t(`${key}_do`, values))}</p>
      ${name === 'failed' && html`<${FailedMessages} count=${values.count} />`}
    </div>
    ${act && html`<${Button} busy=${busy} disabled=${act === 'retry' && health.read_only} onClick=${() => run(ACTS[act])}>${t(`overview.act.${act}`)}<//>`}
    ${link && html`<a class="button button-tonal" href=${linkTo(link)}>${t(`nav.${link}`)}</a>`}
  </li>`;
}
