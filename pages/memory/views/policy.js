// The settings that govern what becomes a memory and what is recalled: change, look through, go back.
import * as api from '../api.js';
import { Actor } from '../components/actor.js';
import { coded } from '../components/coded.js';
import { Section } from '../components/section.js';
import { Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { toast } from '../components/toast.js';
import { refreshHealth } from '../health.js';
import { useLoaded } from '../loading.js';
import { refreshNames } from '../names.js';
import { Fragment, html, useEffect, useState } from '../preact.js';
import { gap, t } from '../texts.js';
import { agreesToGoBack } from './policy/back.js';
import { PolicyForm } from './policy/form.js';
import { Versions } from './policy/versions.js';

export function Policy({ health }) {
  const found = useLoaded(() => api.get('policy'), []);
  useEffect(() => {
    refreshNames();
  }, []);
  // A form that was taken anew begins anew.
  const [taken, setTaken] = useState(0);
  const readOnly = health?.read_only ?? false;
  const renew = async () => {
    refreshHealth(); // may come after the form, which would lose what is typed meanwhile
    await found.reload();
    setTaken((before) => before + 1);
  };
  // Who was overtaken sees what is in effect now. The toast comes first: an older one has nothing left to undo.
  const rollBack = (version, expected) => api.post('policy/rollback', { version, expected }).finally(() => void renew());
  // The way back is to what was shown before; version 0 is on no record.
  const tell = (message, { version }, before) =>
    toast({ message, undo: version > before && before > 0 ? () => rollBack(before, version).then(() => t('policy.rolled_back', { version: before })) : undefined });
  const goBack = async (row, policy) => {
    if (!(await agreesToGoBack(row, policy, health?.waiting ?? 0))) return;
    tell(t('policy.rolled_back', row), await rollBack(row.version, policy.version), policy.version);
  };
  return html`<${Loaded} of=${found}>${(policy) => html`<${Fragment}>
    <${Section} title=${t('policy.title')} hint=${html`<${Since} policy=${policy} />`}>
      <p class="muted">${coded(t('policy.levels'))}</p>
      ${readOnly && html`<p class="muted">${t('policy.read_only')}</p>`}
      <${PolicyForm} key=${`${policy.version}-${taken}`} policy=${policy} readOnly=${readOnly} onSaved=${(made) => (tell(t('policy.saved'), made, policy.version), renew())} onReload=${renew} />
    <//>
    <${Versions} policy=${policy} readOnly=${readOnly} onRollBack=${(row) => goBack(row, policy)} />
  <//>`}<//>`;
}

/** Since when and by whom it holds; what nobody ever changed says neither. */
const Since = ({ policy: { version, at, actor } }) => html`${t('policy.hint')}${gap()}${at &&
html`<span>${t('policy.since', { version })}${gap()}<${Time} at=${at} />${'\u00a0· '}<${Actor} actor=${actor} /></span>`}`;
