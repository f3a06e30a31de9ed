// A file into the memory: checked first, then written as a whole or not at all.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { ownerText } from '../../components/item.js';
import { Section } from '../../components/section.js';
import { Failed } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { formatBytes, formatNumber } from '../../format.js';
import { refreshHealth } from '../../health.js';
import { useNames } from '../../names.js';
import { html, useEffect, useId, useRef, useState } from '../../preact.js';
import { linkTo } from '../../route.js';
import { gap, t } from '../../texts.js';
import { outcomeText } from './restore.js';

const MOST_BYTES = 64 * 1024 * 1024;
const BEGIN = { step: 'choose', file: null, found: null, error: null };

/** choose -> checking -> checked -> writing -> done; what is refused leads back to the choice. With a new `turn` what was checked is checked again. */
export function Import({ turn, readOnly, onDone }) {
  const [state, setState] = useState(BEGIN);
  const input = useRef(null);
  const id = useId();
  const { step, file, found, error } = state;
  const working = step === 'checking' || step === 'writing';

  const send = async (chosen, path, during, after) => {
    setState({ step: during, file: chosen, found, error: null });
    try {
      setState({ step: after, file: chosen, found: await api.upload(path, chosen), error: null });
      return true;
    } catch (wrong) {
      setState({ step: 'choose', file: chosen, found: null, error: wrong });
      return false;
    }
  };
  const check = (chosen) => {
    if (!chosen) return;
    if (chosen.size > MOST_BYTES) {
      const message = t('import.too_big', { most: formatBytes(MOST_BYTES) });
      setState({ ...BEGIN, file: chosen, error: new api.ApiError(message, null) });
    } else send(chosen, 'import/check', 'checking', 'checked');
  };
  useEffect(() => {
    if (step === 'checked') check(file);
  }, [turn]);
  const write = async () => {
    if (!(await send(file, 'import', 'writing', 'done'))) return;
    await refreshHealth();
    onDone();
  };
  const again = () => {
    setState(BEGIN);
    input.current.value = '';
    input.current.focus();
  };
  return html`<${Section} title=${t('import.title')} hint=${t('import.hint')}>
    <div class="card">
      <div class="field">
        <label for=${id}>${t('import.file')}</label>
        <div class="row">
          <label class="button button-tonal file-button" for=${id}>${t('import.choose')}</label>
          <span class="muted breakable">${file ? file.name : t('import.none_chosen')}</span>
          <input id=${id} ref=${input} class="only-heard" type="file" accept=".json,.gz,application/json,application/gzip" disabled=${working || readOnly}
            onClick=${forgotten} onChange=${(event) => check(event.currentTarget.files[0])} />
        </div>
      </div>
      ${readOnly && html`<p class="muted">${t('import.read_only')}</p>`}
      ${working && html`<div class="row" role="status"><span class="spinner" aria-hidden="true"></span><span>${t(`import.${step}`)}</span></div>`}
      ${error && html`<${Failed} error=${error} />`}
      ${error?.field === 'file' && html`<p class="muted">${t('import.nothing_changed')}</p>`}
      <div class="stacked" aria-live="polite">
        ${step === 'checked' && html`<${Checked} found=${found} file=${file} onWrite=${write} onCancel=${again} />`}
        ${step === 'done' && html`<${Done} found=${found} onAgain=${again} />`}
      </div>
    </div>
  <//>`;
}

/** The same file, mended meanwhile, can be chosen again: a browser tells nothing of a choice that is the same. */
const forgotten = (event) => {
  event.currentTarget.value = '';
};

function Checked({ found, file, onWrite, onCancel }) {
  const { manifest } = found;
  const nothing = added(found) === 0;
  return html`
    <h3>${t('import.would')}</h3>
    <p class="muted breakable">${file.name} · ${formatBytes(file.size)}${manifest && html` · ${t('import.made')} <${Time} at=${manifest.exported_at} exact /> · ${t('import.version', { version: manifest.plugin_version })}`}</p>
    ${manifest?.scope && html`<p class="breakable">${t('import.scope', { whose: ownerText(manifest.scope, useNames()) })}</p>`}
    <${Counts} found=${found} />
    <${Named} title=${t('import.named')} named=${found.named} count=${found.added.items} />
    <${Named} title=${t('import.named_differing')} named=${found.differing.named} count=${found.differing.items} />
    ${found.newcomers?.length > 0 && html`<p class="note breakable">${t('import.newcomers')}${gap()}${found.newcomers.join(', ')}</p>`}
    ${nothing && html`<p>${t('import.nothing_new')}</p>`}
    <div class="row">
      ${!nothing && html`<${Button} kind="filled" onClick=${onWrite}>${t('import.write')}<//>`}
      <${Button} kind="text" onClick=${onCancel}>${t(nothing ? 'import.another' : 'action.cancel')}<//>
    </div>
  `;
}

const added = ({ added: { items, evidence, events } }) => items + evidence + events;

/** The first of so many memories, each with whose it is. */
function Named({ title, named, count }) {
  const names = useNames();
  if (named.length === 0) return null;
  return html`<section class="stacked" aria-label=${title}>
    <h4>${title}</h4>
    <ul class="plain-list">${named.map((each) => html`<li key=${each.memory_id} class="breakable" title=${each.scope_id}>${t('import.of_person', { owner: ownerText(each, names), fact: each.fact })}${each.otherwise?.length > 0 && html`<div class="muted">${t('import.otherwise')}${gap()}${each.otherwise.join(t('audit.and'))}</div>`}</li>`)}</ul>
    ${count > named.length && html`<p class="muted">${t('review.left_more', { count: count - named.length })}</p>`}
  </section>`;
}

const Counts = ({ found: { added, known, differing, gave_way: gaveWay } }) => html`<dl class="counts">
  <div><dt>${t('import.added')}</dt><dd>${formatNumber(added.items)}</dd></div>
  <div><dt>${t('import.added_evidence')}</dt><dd>${formatNumber(added.evidence)}</dd></div>
  <div><dt>${t('import.added_events')}</dt><dd>${formatNumber(added.events)}</dd></div>
  <div><dt>${t('import.known')}</dt><dd>${formatNumber(known.items)}</dd></div>
  ${known.deleted > 0 && html`<div><dt>${t('import.known_deleted')}</dt><dd>${formatNumber(known.deleted)}</dd></div>`}
  ${differing.items > 0 && html`<div><dt>${t('import.differing')}</dt><dd>${formatNumber(differing.items)}</dd></div>`}
  ${gaveWay.items > 0 && html`<div><dt>${t('import.gave_way')}</dt><dd>${formatNumber(gaveWay.items)}</dd></div>`}
</dl>`;

const Done = ({ found, onAgain }) => html`
  <p><strong>${t('import.done')}</strong>${gap()}${outcomeText(found)}</p>
  <${Named} title=${t('import.named_differing')} named=${found.differing.named} count=${found.differing.items} />
  <p class="muted">${t('import.undo_below')}</p>
  <div class="row">${found.added.items > 0 && html`<a class="button button-tonal" href=${linkTo('memories', null, { import_id: found.import_id })}>${t('import.see')}</a>`}
    <${Button} kind="text" onClick=${onAgain}>${t('import.another')}<//></div>
`;
