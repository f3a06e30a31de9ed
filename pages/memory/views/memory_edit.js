// Changing a memory: its words, its type, its importance, how long it lives, and its level downwards.
import * as api from '../api.js';
import { Beside, Reworded } from '../components/beside.js';
import { Button } from '../components/button.js';
import { namedText, takeBack } from '../components/choosing.js';
import { Dialog } from '../components/dialog.js';
import { AreaField, CheckField, SelectField, TextField } from '../components/field.js';
import { LEVELS, TYPES, choices, ownerText, typeText } from '../components/item.js';
import { Other } from '../components/other.js';
import { Quote } from '../components/quote.js';
import { toast } from '../components/toast.js';
import { errorText, unfitText } from '../errors.js';
import { formatBrief, formatPercent } from '../format.js';
import { useLoaded } from '../loading.js';
import { useNames } from '../names.js';
import { html, useState } from '../preact.js';
import { linkTo } from '../route.js';
import { gap, t } from '../texts.js';
import { actionsOn } from './memory_actions.js';

const MOST_WORDS = 500;
const MOST_DAYS = 36_500;
const MOST_QUOTES = 3;
const WAITING = ['shadow', 'pending'];

/**
 * The dialog; `onSaved` follows a change, `onUndone` its taking back. What waits can be approved with it. Its `evidence`
 * is shown as it is given, until all is there that is known of it.
 */
export function EditMemory({ item: present, evidence, onClose, onSaved, onUndone }) {
  // What is changed is told from what the form began with, whatever becomes of the memory meanwhile.
  const [item] = useState(present);
  const names = useNames();
  const { data: all } = useLoaded(() => api.get(`items/${item.memory_id}`), []);
  const [form, setForm] = useState(() => formOf(item));
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState('');
  const put = (name) => (value) => {
    setError(null);
    setForm((before) => ({ ...before, [name]: value }));
  };
  const wanted = wantedOf(form);
  const unfit = unfitIn(form, wanted);
  const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== item[name]));
  const changed = Object.keys(changes).length > 0;
  const ready = changed && Object.keys(unfit).length === 0;
  const waits = WAITING.includes(item.status);
  const key = (event) => {
    // A select opens by Enter, a link is followed; what is pressed while a word is composed belongs to that word.
    if (event.key !== 'Enter' || event.isComposing || event.shiftKey || event.target.matches('a') || (event.target.matches('select') && !event.ctrlKey)) return;
    event.preventDefault();
    if (ready && !busy) save(waits);
  };
  const wrong = (field) => unfit[field] ?? (error?.field === field ? error.message : undefined);
  /** All of it or nothing; with `approving` what waits is used as well. */
  const save = async (approving) => {
    setBusy(approving ? 'approve' : 'save');
    const body = approving ? { ...changes, status: 'active' } : changes;
    const saved = await api.post(`items/${item.memory_id}/update`, body).catch((refused) => {
      setBusy('');
      setError(refused);
    });
    if (!saved) return;
    onSaved();
    await tellSaved(saved, item, approving, onUndone);
  };
  return html`<${Dialog} title=${t('memory.edit_of', { owner: ownerText(item, names) })} onClose=${onClose} actions=${html`
    <${Button} kind="text" onClick=${onClose}>${t('action.cancel')}<//>
    <${Button} kind=${waits ? 'tonal' : 'filled'} busy=${busy === 'save'} disabled=${!ready || busy !== ''} onClick=${() => save(false)}>${t('action.save')}<//>
    ${waits && html`<${Button} kind="filled" busy=${busy === 'approve'} disabled=${!ready || busy !== ''} onClick=${() => save(true)}>${t('memory.save_approve')}<//>`}
  `}><div class="stacked" onKeyDown=${key}>
    ${error && !(error.field in form) && html`<p class="field-error" role="alert">${errorText(error)} ${error.other && html`<${Other} id=${error.other} onClick=${onClose} />`}</p>`}
    <${AreaField} label=${t('memory.field.fact')} hint=${t(waits ? 'memory.field.fact_hint_waits' : 'memory.field.fact_hint')} error=${wrong('fact')} value=${form.fact}
      onValue=${put('fact')} rows="3" data-focus />
    ${all && html`<div onClick=${(event) => event.target.matches('a') && onClose()}><${Beside} all=${all} link=${changed ? undefined : (id) => linkTo('memories', id)} /></div><${Reworded} all=${all} />`}
    ${(all?.evidence ?? evidence ?? []).slice(0, MOST_QUOTES).map((each) => html`<${Quote} key=${each.evidence_id} evidence=${each} names=${names} />`)}
    <${SelectField} label=${t('memories.type')} error=${wrong('type')} value=${form.type} onValue=${put('type')}
      options=${TYPES.map((type) => [type, typeText({ ...item, type })])} />
    <${TextField} type="range" min="0" max="1" step="0.05" value=${form.importance} onValue=${put('importance')}
      label=${t('memory.field.importance', { percent: formatPercent(Number(form.importance)) })}
      hint=${t('memory.field.importance_hint')} error=${wrong('importance')} />
    <${CheckField} label=${t('memory.field.permanent')} checked=${form.permanent} onValue=${put('permanent')} />
    ${!form.permanent &&
    html`<${TextField} type="number" min="0" max=${MOST_DAYS} label=${t('memory.field.ttl_days')} hint=${t('memory.field.ttl_hint')}
      error=${wrong('ttl_days')} value=${form.ttl_days} onValue=${put('ttl_days')} />`}
    ${item.level !== LEVELS[0] &&
    html`<${SelectField} label=${t('memory.field.level')} hint=${t('memory.field.level_hint')} error=${wrong('level')}
      value=${form.level} onValue=${put('level')} options=${choices('level', LEVELS.slice(0, LEVELS.indexOf(item.level) + 1))} />`}
  </div><//>`;
}

async function tellSaved({ item: now, decision_id: decision, replaced }, item, approving, onUndone) {
  // What waits is used no sooner for being saved: the next step is at hand.
  const approve = actionsOn(now, onUndone).find(({ name }) => name === 'approve');
  const key = approve ? 'memory.saved_waits' : approving ? 'memory.saved_approved' : 'memory.saved';
  const beside = now.fact === item.fact ? '' : await besideText(item.memory_id).catch(() => '');
  toast({
    message: t(key, { fact: formatBrief(now.fact) }) + (await namedText('memory.replaced', replaced)) + beside,
    undo: decision === '' ? undefined : () => back(decision, item, now).finally(onUndone),
    next: approve && { label: t('memory.action.approve'), run: approve.run },
  });
}

/** What other memories say otherwise than its new text, as a sentence behind another. */
async function besideText(id) {
  const { otherwise } = await api.get(`items/${id}`);
  const facts = otherwise.map(({ fact }) => t('toast.fact', { fact: formatBrief(fact) }));
  return facts.length > 0 ? gap() + t('memory.otherwise') + gap() + facts.join(t('audit.and')) + t('reason_end') : '';
}

const formOf = (item) => ({
  fact: item.fact,
  importance: String(item.importance),
  permanent: item.ttl_days === null,
  ttl_days: String(item.ttl_days ?? 30),
  level: item.level,
  type: item.type,
});

/** What cannot be saved, by its field. A blank lifetime is neither none nor for ever. */
function unfitIn({ permanent, ttl_days: days }, { fact }) {
  const count = [...fact].length;
  const long = count > MOST_WORDS && t('memory.field.fact_long', { most: MOST_WORDS, count });
  return {
    ...((count === 0 || long) && { fact: long || unfitText('missing') }),
    ...(!permanent && !(/^\d+$/.test(days.trim()) && Number(days) <= MOST_DAYS) && { ttl_days: unfitText('whole', { low: 0, high: MOST_DAYS }) }),
  };
}

/** The form's values as they are stored. */
const wantedOf = (form) => ({
  fact: form.fact.replace(/\s*\n\s*/g, ' ').trim(),
  importance: Number(form.importance),
  ttl_days: form.permanent ? null : Number(form.ttl_days),
  level: form.level,
  type: form.type,
});

/** Take the edit back, with the approval that went with it; what to say then. */
const back = (decision, { fact }, now) =>
  takeBack([decision], 'edit', fact === now.fact ? undefined : () => t('memory.says_again', { fact: formatBrief(fact) }));
