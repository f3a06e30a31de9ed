// The settings that govern what becomes a memory and what is recalled: change, look through, go back.
import * as api from '../api.js';
import { Actor } from '../components/actor.js';
import { Section } from '../components/section.js';
import { Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { toast } from '../components/toast.js';
import { refreshHealth } from '../health.js';
import { useLoaded } from '../loading.js';
import { Fragment, html, useState } from '../preact.js';
import { t } from '../texts.js';
import { PolicyForm } from './policy/form.js';
import { Versions } from './policy/versions.js';

export function Policy({ health }) {
  const found = useLoaded(() => api.get('policy'), []);
  // A form that was taken anew begins anew.
  const [taken, setTaken] = useState(0);
  const readOnly = health?.read_only ?? false;
  const renew = async () => {
    await Promise.all([found.reload(), refreshHealth()]);
    setTaken((before) => before + 1);
  };
  // Each policy is on record before the next one holds.
  const changed = async (message, { version }) => {
    const undo = async () => {
      await api.post('policy/rollback', { version: version - 1 });
      await renew();
    };
    toast({ message, undo: version > 1 ? undo : undefined, about: 'policy' });
    await renew();
  };
  return html`<${Loaded} of=${found}>${(policy) => html`<${Fragment}>
    <${Section} title=${t('policy.title')} hint=${html`<${Since} policy=${policy} />`}>
      ${readOnly && html`<p class="muted">${t('policy.read_only')}</p>`}
      <${PolicyForm} key=${`${policy.version}-${taken}`} policy=${policy} readOnly=${readOnly} onSaved=${(made) => changed(t('policy.saved'), made)} onReload=${renew} />
    <//>
    <${Versions} present=${policy.version} readOnly=${readOnly} onRolledBack=${(made, version) => changed(t('policy.rolled_back', { version }), made)} />
  <//>`}<//>`;
}

/** Since when and by whom it holds; what nobody ever changed says neither. */
const Since = ({ policy: { version, at, actor } }) => html`${t('policy.hint')}${' '}${at &&
html`<span>${t('policy.since', { version })}${' '}<${Time} at=${at} />${' · '}<${Actor} actor=${actor} /></span>`}`;
