// Changing a memory: its words, its type, its importance, how long it lives, and its level downwards.
import * as api from '../api.js';
import { Button } from '../components/button.js';
import { replacedText, takeBack } from '../components/choosing.js';
import { Dialog } from '../components/dialog.js';
import { AreaField, CheckField, SelectField, TextField } from '../components/field.js';
import { LEVELS, TYPES, choices, ownerText } from '../components/item.js';
import { Other } from '../components/other.js';
import { Quote } from '../components/quote.js';
import { toast } from '../components/toast.js';
import { errorText } from '../errors.js';
import { formatBrief, formatPercent } from '../format.js';
import { useLoaded } from '../loading.js';
import { useNames } from '../names.js';
import { html, useState } from '../preact.js';
import { gap, t } from '../texts.js';
import { actionsOn, approveOne, undoneText } from './memory_actions.js';

const MOST_WORDS = 500;
const MOST_QUOTES = 3;
const WAITING = ['shadow', 'pending'];

/**
 * The dialog; `onSaved` follows a change, `onUndone` its taking back. What waits can be approved with it. Its `evidence`
 * is asked for where it is not given.
 */
export function EditMemory({ item: present, evidence, onClose, onSaved, onUndone }) {
  // What is changed is told from what the form began with, whatever becomes of the memory meanwhile.
  const [item] = useState(present);
  const names = useNames();
  const { data: quotes } = useLoaded(async () => evidence ?? (await api.get(`items/${item.memory_id}`)).evidence, []);
  const [form, setForm] = useState(() => formOf(item));
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState('');
  const put = (name) => (value) => setForm((before) => ({ ...before, [name]: value }));
  const changes = changesIn(item, form);
  const ready = Object.keys(changes).length > 0 && complete(form);
  const waits = WAITING.includes(item.status);
  const key = (event) => {
    // A select opens by Enter; what is pressed while a word is composed belongs to that word.
    if (event.key !== 'Enter' || event.isComposing || event.shiftKey || (event.target.matches('select') && !event.ctrlKey)) return;
    event.preventDefault();
    if (ready && !busy) waits ? saveAndApprove() : save();
  };
  const wrong = (field) => (error?.field === field ? error.message : undefined);
  /** Whether it was saved. */
  const saved = async (doing) => {
    setBusy(doing);
    try {
      await api.post(`items/${item.memory_id}/update`, changes);
      return true;
    } catch (refused) {
      setBusy('');
      setError(refused);
      return false;
    }
  };
  const now = { ...item, fact: changes.fact ?? item.fact };
  const named = { fact: formatBrief(now.fact) };
  const save = async () => {
    if (!(await saved('save'))) return;
    onSaved();
    // What waits is used no sooner for being saved: the next step is at hand.
    const approve = actionsOn(now, onUndone).find(({ name }) => name === 'approve');
    toast({
      message: t(approve ? 'memory.saved_waits' : 'memory.saved', named),
      undo: undoOf(item, changes, onUndone),
      next: approve && { label: t('memory.action.approve'), run: approve.run },
    });
  };
  const saveAndApprove = async () => {
    if (!(await saved('approve'))) return;
    const edited = undoOf(item, changes, onUndone);
    try {
      const { decision_id: decision } = await approveOne(now);
      onSaved();
      const message = t('memory.saved_approved', named) + (await replacedText(item.memory_id).catch(() => ''));
      toast({ message, undo: decision === '' ? undefined : () => bothBack(decision, edited, now.fact).finally(onUndone) });
    } catch (refused) {
      onSaved();
      toast({ message: t('memory.saved_waits', named) + gap() + errorText(refused), other: refused.other, undo: edited, tone: 'error' });
    }
  };
  return html`<${Dialog} title=${t('memory.edit_of', { owner: ownerText(item, names) })} onClose=${onClose} actions=${html`
    <${Button} kind="text" onClick=${onClose}>${t('action.cancel')}<//>
    <${Button} kind=${waits ? 'tonal' : 'filled'} busy=${busy === 'save'} disabled=${!ready || busy !== ''} onClick=${save}>${t('action.save')}<//>
    ${waits && html`<${Button} kind="filled" busy=${busy === 'approve'} disabled=${!ready || busy !== ''} onClick=${saveAndApprove}>${t('memory.save_approve')}<//>`}
  `}><div class="stacked" onKeyDown=${key}>
    ${error && !(error.field in form) && html`<p class="field-error" role="alert">${errorText(error)} ${error.other && html`<${Other} id=${error.other} />`}</p>`}
    <${AreaField} label=${t('memory.field.fact')} hint=${t(waits ? 'memory.field.fact_hint_waits' : 'memory.field.fact_hint')} error=${wrong('fact')} value=${form.fact}
      onValue=${put('fact')} rows="3" maxlength=${MOST_WORDS} data-focus />
    ${quotes?.slice(0, MOST_QUOTES).map((each) => html`<${Quote} key=${each.evidence_id} evidence=${each} names=${names} />`)}
    <${SelectField} label=${t('memories.type')} error=${wrong('type')} value=${form.type} onValue=${put('type')}
      options=${choices('type', TYPES)} />
    <${TextField} type="range" min="0" max="1" step="0.05" value=${form.importance} onValue=${put('importance')}
      label=${t('memory.field.importance', { percent: formatPercent(Number(form.importance)) })}
      hint=${t('memory.field.importance_hint')} error=${wrong('importance')} />
    <${CheckField} label=${t('memory.field.permanent')} checked=${form.permanent} onValue=${put('permanent')} />
    ${!form.permanent &&
    html`<${TextField} type="number" min="0" max="36500" label=${t('memory.field.ttl_days')} hint=${t('memory.field.ttl_hint')}
      error=${wrong('ttl_days')} value=${form.ttl_days} onValue=${put('ttl_days')} />`}
    ${item.level !== LEVELS[0] &&
    html`<${SelectField} label=${t('memory.field.level')} hint=${t('memory.field.level_hint')} error=${wrong('level')}
      value=${form.level} onValue=${put('level')} options=${choices('level', LEVELS.slice(0, LEVELS.indexOf(item.level) + 1))} />`}
  </div><//>`;
}

const formOf = (item) => ({
  fact: item.fact,
  importance: String(item.importance),
  permanent: item.ttl_days === null,
  ttl_days: String(item.ttl_days ?? 30),
  level: item.level,
  type: item.type,
});

/** A blank lifetime is neither none nor for ever. */
const complete = (form) => form.permanent || form.ttl_days.trim() !== '';

/** Only what differs is sent. */
function changesIn(item, form) {
  const wanted = {
    fact: form.fact.replace(/\s*\n\s*/g, ' ').trim(),
    importance: Number(form.importance),
    ttl_days: form.permanent ? null : Number(form.ttl_days),
    level: form.level,
    type: form.type,
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== item[name]));
}

/** Take an approval back, then the edit before it as far as that comes back; what to say then. */
async function bothBack(decision, edited, fact) {
  const stays = await takeBack([decision]);
  if (stays) return stays;
  if (!edited) return t('memory.unapproved', { fact: formatBrief(fact) });
  return edited();
}

/** A level does not come back; the rest does. */
function undoOf(item, { level, ...others }, onUndone) {
  const before = Object.fromEntries(Object.keys(others).map((name) => [name, item[name]]));
  if (level !== undefined || Object.keys(before).length === 0) return undefined;
  return async () => {
    await api.post(`items/${item.memory_id}/update`, before);
    onUndone();
    return undoneText(item.fact);
  };
}
