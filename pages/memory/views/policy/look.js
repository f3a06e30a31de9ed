// What a change of the policy would do, before it holds.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { html, useState } from '../../preact.js';
import { hasText, t } from '../../texts.js';
import { Changes } from './changes.js';

/** What decides whether people may accept for themselves what waits. */
const ACCEPTING = ['write.self_approval', 'write.allowed_types', 'write.require_approval_types'];

/** What decides which memories a request gets, and of these what is a limit. */
const LIMITS = ['read.max_items', 'read.max_tokens', 'read.max_per_type'];
const CHOOSING = [...LIMITS, 'read.similarity_weight', 'read.importance_weight', 'read.recency_weight'];

/** `wanted` is the new policy, `would` what the preview said, `version` the one it was changed from. */
export function Look({ wanted, would, version, onClose, onRefused, onSaved, onReload }) {
  const [busy, setBusy] = useState(false);
  const [overtaken, setOvertaken] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await onSaved(await api.post('policy/update', { ...wanted, version }));
    } catch (error) {
      if (error.message === 'stale_version') setOvertaken(true);
      else onRefused(error);
    } finally {
      setBusy(false);
    }
  };
  const choosing = would.changes.filter(({ field }) => CHOOSING.includes(field));
  const actions = html`
    <${Button} kind="text" onClick=${onClose}>${t('action.cancel')}<//>
    ${overtaken
      ? html`<${Button} kind="filled" onClick=${onReload}>${t('policy.take_newer')}<//>`
      : html`<${Button} kind="filled" busy=${busy} data-focus onClick=${save}>${t('action.save')}<//>`}
  `;
  return html`<${Dialog} title=${t('policy.look_title')} onClose=${onClose} actions=${actions}>
    ${overtaken && html`<p class="banner banner-error" role="alert">${t('policy.overtaken')}</p>`}
    <${Changes} changes=${would.changes} />
    <section class="stacked" aria-label=${t('policy.effects')}>
      <h3>${t('policy.effects')}</h3>
      ${would.effects.length > 0 && html`<ul class="plain-list">${would.effects.map((effect) => html`<li key=${effect.what}>${effectText(effect)}</li>`)}</ul>`}
      ${choosing.length > 0 && html`<p class="muted">${t(`policy.requests_get.${getting(choosing)}`)}</p>`}
      ${would.effects.length === 0 && choosing.length < would.changes.length && html`<p class="muted">${t('policy.no_effects')}</p>`}
      ${would.changes.some(({ field }) => ACCEPTING.includes(field)) && html`<p class="muted">${t('policy.self_approval')}</p>`}
      <p class="muted">${t('policy.from_now_on')}</p>
    </section>
  <//>`;
}

/** Whether later requests get `fewer` or `more` memories by these changes, or just `other` ones. */
function getting(changes) {
  const limits = changes.every(({ field }) => LIMITS.includes(field));
  if (limits && changes.every(({ before, after }) => after < before)) return 'fewer';
  return limits && changes.every(({ before, after }) => after > before) ? 'more' : 'other';
}

export const effectText = ({ what, count }) =>
  hasText(`effect.${what}`) ? t(`effect.${what}`, { count }) : `${what}: ${count}`;
