// What to know at the beginning: in shadow mode it uses nothing of what it learns. A line once somebody has decided about one.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { useDoing } from '../../doing.js';
import { useLoaded } from '../../loading.js';
import { html } from '../../preact.js';
import { linkTo } from '../../route.js';
import { createStore, useStore } from '../../store.js';
import { gap, t } from '../../texts.js';
import { changeMode } from './changes.js';

/** The sandbox keeps nothing: whoever puts it off sees it again when the page is opened anew. */
const putOff = createStore(false);

export function FirstRun({ health }) {
  const decided = useLoaded(anyDecision, []);
  const [busy, run] = useDoing();
  const off = useStore(putOff);
  if (health.mode !== 'shadow' || off || (decided.data === null && !decided.error)) return null;
  const use = html`<${Button} kind=${decided.data ? 'text' : 'tonal'} busy=${busy} disabled=${health.read_only}
    onClick=${() => run(() => changeMode('auto', health))}>${t('first_run.use')}<//>`;
  if (decided.data) {
    return html`<section class="card first-run row" aria-label=${t('first_run.title')}>
      <span>${t('first_run.line')}${gap()}${state(health)}</span>${health.waiting > 0 && html`<a href=${linkTo('review')}>${t('first_run.review')}</a>`}${use}
    </section>`;
  }
  return html`<section class="card first-run" aria-labelledby="first-run">
    <h2 id="first-run">${t('first_run.title')}</h2>
    <p>${t('first_run.what')}</p>
    <p><strong>${state(health)}</strong></p>
    <ol class="steps">
      <li>${t('first_run.step_talk')}</li>
      <li>${t('first_run.step_review')}</li>
      <li>${t('first_run.step_auto')}</li>
    </ol>
    <div class="row">
      <a class="button button-filled" href=${linkTo('review')}>${t('first_run.review')}</a>
      ${use}
      <${Button} kind="text" onClick=${() => putOff.set(true)}>${t('first_run.later')}<//>
    </div>
  </section>`;
}

/** Whether anybody has ever approved or rejected a memory. */
async function anyDecision() {
  const found = await Promise.all(['approve', 'reject'].map((action) => api.get('audit', { action, page_size: 1 })));
  return found.some(({ total }) => total > 0);
}

/** What there is: what waits and what is in use, or nothing. */
function state({ waiting = 0, items: { active = 0 } = {} }) {
  if (waiting > 0) return t(active > 0 ? 'first_run.learnt_used' : 'first_run.learnt', { count: waiting, active });
  return active > 0 ? t('first_run.none_waits', { count: active }) : t('first_run.nothing_yet');
}
