// Who did something, as the audit names them.
import { html } from '../preact.js';
import { whoseText, useNames } from '../names.js';
import { t } from '../texts.js';

/**
 * In words: `operator:name` is whoever was logged in to the dashboard, `operator:api_key:id` a key of the host's API,
 * `operator:platform:account` an admin by a command in a chat, `tool:name:account` the model for that person, `system`
 * the plugin by itself.
 */
export function whoDid(actor, names = new Map()) {
  if (!actor || actor === 'system') return t('actor.system');
  const [, account] = /^tool:[^:]*:(.*)$/s.exec(actor) ?? [];
  if (account) return t('actor.by_tool', { name: whoseText(account, names) });
  const operator = /^operator(?::(.*))?$/s.exec(actor);
  if (!operator) return whoseText(actor, names);
  const name = operator[1];
  if (!name) return t('actor.some_operator');
  if (name.startsWith('api_key:')) return t('actor.api_key', { id: name.slice('api_key:'.length) });
  return t(name.includes(':') ? 'actor.by_command' : 'actor.operator', { name: whoseText(name, names) });
}

export const Actor = ({ actor }) => html`<span class="actor" title=${actor || undefined}>${whoDid(actor, useNames())}</span>`;
