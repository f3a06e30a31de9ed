// Who did something, as the audit names them.
import { html } from '../preact.js';
import { t } from '../texts.js';

/** In words: `operator:name` is whoever was logged in to the dashboard, `system` the plugin by itself. */
export function whoDid(actor) {
  if (!actor || actor === 'system') return t('actor.system');
  const operator = /^operator(?::(.*))?$/s.exec(actor);
  if (operator) return operator[1] ? t('actor.operator', { name: operator[1] }) : t('actor.some_operator');
  return actor;
}

export const Actor = ({ actor }) => html`<span class="actor" title=${actor || undefined}>${whoDid(actor)}</span>`;
