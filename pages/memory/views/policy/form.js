// The settings that govern, in a form: nothing of it holds until it was looked through and saved.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { CheckField, SelectField, TextField } from '../../components/field.js';
import { errorText } from '../../errors.js';
import { html, useId, useRef, useState } from '../../preact.js';
import { gap, t } from '../../texts.js';
import { Look } from './look.js';
import { FIELDS, draftOf, labelOf, optionText, policyOf, unfitIn, wordsOf } from './settings.js';

/** What is typed and not saved, for who leaves the tab and comes back: {version, draft}. */
let unsaved = null;

/** `policy` is what GET policy gave; `onReload` asks for it anew. */
export function PolicyForm({ policy, readOnly, onSaved, onReload }) {
  const form = useRef(null);
  const [draft, setDraft] = useState(() => (unsaved?.version === policy.version ? unsaved.draft : draftOf(policy)));
  const [error, setError] = useState(null);
  const [unfit, setUnfit] = useState({});
  const [failed, setFailed] = useState('policy.wrong');
  const [busy, setBusy] = useState(false);
  const [looked, setLooked] = useState(null);
  const changed = JSON.stringify(policyOf(draft)) !== JSON.stringify(policyOf(draftOf(policy)));
  const put = (section, name, value) => {
    setDraft((before) => {
      unsaved = { version: policy.version, draft: { ...before, [section]: { ...before[section], [name]: value } } };
      return unsaved.draft;
    });
    // What is marked stays so until it fits.
    setUnfit((before) => (Object.keys(before).length > 0 ? unfitIn(unsaved.draft) : before));
  };
  const refused = (wrong) => {
    setLooked(null);
    setError(wrong);
  };
  const ask = async (work, failing = 'policy.wrong') => {
    const wrong = unfitIn(draft);
    setUnfit(wrong);
    setError(null);
    if (Object.keys(wrong).length === 0) {
      setBusy(true);
      await work(policyOf(draft)).catch(refused);
      setBusy(false);
      return;
    }
    setFailed(failing);
    requestAnimationFrame(() => showWrong(form.current));
  };
  const takeNewer = () => {
    unsaved = null;
    onReload();
  };
  const look = () => ask(async (wanted) => setLooked({ wanted, would: await api.post('policy/preview', wanted) }), 'policy.no_preview');
  const save = (event) => {
    event.preventDefault();
    if (changed && !busy && !readOnly) ask(async (wanted) => onSaved(await api.post('policy/update', { ...wanted, version: policy.version })));
  };
  return html`<form class="stacked" ref=${form} noValidate onSubmit=${save}>
    ${Object.entries(FIELDS).map(
      ([section, fields]) => html`<${Part} key=${section} section=${section} fields=${fields} values=${draft[section]}
        unfit=${unfit} disabled=${readOnly} onPut=${put} />`,
    )}
    <div class="row form-foot">
      <${Button} kind="filled" type="submit" busy=${busy} disabled=${!changed || readOnly}>${t('action.save')}<//>
      <${Button} busy=${busy} disabled=${!changed || readOnly} onClick=${look}>${t('policy.look')}<//>
      <${Button} kind="text" disabled=${!changed} onClick=${() => { unsaved = null; setDraft(draftOf(policy)); setError(null); setUnfit({}); }}>${t('policy.drop')}<//>
      <${State} wrong=${wrongText(unfit, failed, error)} changed=${changed} />
      ${error?.message === 'stale_version' && html`<${Button} onClick=${takeNewer}>${t('policy.take_newer')}<//>`}
    </div>
    ${looked && html`<${Look} ...${looked} version=${policy.version} onClose=${() => setLooked(null)} onRefused=${refused} onSaved=${onSaved} onReload=${takeNewer} />`}
  </form>`;
}

/** The field that is wrong may be far from the button, or under it. */
function showWrong(form) {
  const field = form?.querySelector('[aria-invalid=true]');
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
}

/** What is wrong with which fields, else with the request; null while nothing is. */
function wrongText(unfit, failed, error) {
  const [first, ...others] = Object.entries(unfit);
  if (!first) return error && errorText(error);
  const told = others.length > 0 ? t('policy.wrong_some', { count: others.length + 1 }) : labelOf(first[0]) + t('policy.colon') + first[1];
  return t(failed) + gap() + told;
}

function State({ wrong, changed }) {
  if (wrong) return html`<span class="field-error" role="alert">${wrong}</span>`;
  return html`<span class="muted">${t(changed ? 'policy.changed' : 'policy.unchanged')}</span>`;
}

function Part({ section, fields, values, unfit, disabled, onPut }) {
  const words = wordsOf(section);
  return html`<fieldset class="card policy-part" disabled=${disabled}>
    <legend>${words.label}</legend>
    ${words.hint && html`<p class="muted">${words.hint}</p>`}
    <div class="policy-fields">
      ${fields.map(
        (field) => html`<${Setting} key=${field.name} section=${section} field=${field} value=${values[field.name]}
          error=${unfit[`${section}.${field.name}`]}
          onValue=${(value) => onPut(section, field.name, value)} />`,
      )}
    </div>
  </fieldset>`;
}

function Setting({ section, field, value, error, onValue }) {
  const { label, hint } = wordsOf(section, field.name);
  const given = { label, hint, error, onValue };
  const options = (field.options ?? []).map((each) => [each, optionText(section, field, each)]);
  if (field.kind === 'flag') return html`<${CheckField} label=${label} hint=${hint} checked=${value} onValue=${onValue} />`;
  if (field.kind === 'choice') return html`<${SelectField} ...${given} value=${value} options=${options} />`;
  if (field.kind === 'several') return html`<${Several} ...${given} value=${value} options=${options} />`;
  return html`<${TextField} ...${given} value=${value} type="number" min=${field.low} max=${field.high}
    step=${field.kind === 'whole' ? 1 : 'any'} inputmode=${field.kind === 'whole' ? 'numeric' : 'decimal'} />`;
}

/** Some of several values, kept in the order they are named. */
function Several({ label, hint, value, options, onValue }) {
  const id = useId();
  const turn = (one, on) => onValue(options.map(([each]) => each).filter((each) => (each === one ? on : value.includes(each))));
  return html`<fieldset class="field several" aria-describedby=${hint ? `${id}-hint` : undefined}>
    <legend>${label}</legend>
    <div class="row">
      ${options.map(
        ([each, text]) => html`<label key=${each} class="choice"><input type="checkbox" checked=${value.includes(each)}
          onChange=${(event) => turn(each, event.currentTarget.checked)} /><span>${text}</span></label>`,
      )}
    </div>
    ${hint && html`<p class="field-hint" id=${`${id}-hint`}>${hint}</p>`}
  </fieldset>`;
}
