// What to know at the beginning: in shadow mode it learns and uses nothing. Gone once that is decided.
import { Button } from '../../components/button.js';
import { useDoing } from '../../doing.js';
import { html } from '../../preact.js';
import { linkTo } from '../../route.js';
import { createStore, useStore } from '../../store.js';
import { t } from '../../texts.js';
import { changeMode } from './changes.js';

/** The sandbox keeps nothing: whoever puts it off sees it again when the page is opened anew. */
const putOff = createStore(false);

export function FirstRun({ health }) {
  const [busy, run] = useDoing();
  const off = useStore(putOff);
  if (health.mode !== 'shadow' || off) return null;
  const learnt = health.items?.shadow ?? 0;
  return html`<section class="card first-run" aria-labelledby="first-run">
    <h2 id="first-run">${t('first_run.title')}</h2>
    <p>${t('first_run.what')}</p>
    <p><strong>${t(learnt > 0 ? 'first_run.learnt' : 'first_run.nothing_yet', { count: learnt })}</strong></p>
    <ol class="steps">
      <li>${t('first_run.step_talk')}</li>
      <li>${t('first_run.step_review')}</li>
      <li>${t('first_run.step_auto')}</li>
    </ol>
    <div class="row">
      <a class="button button-filled" href=${linkTo('review')}>${t('first_run.review')}</a>
      <${Button} busy=${busy} disabled=${health.read_only} onClick=${() => run(() => changeMode('auto'))}>${t('first_run.use')}<//>
      <${Button} kind="text" onClick=${() => putOff.set(true)}>${t('first_run.later')}<//>
    </div>
  </section>`;
}
