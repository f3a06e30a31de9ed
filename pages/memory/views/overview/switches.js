// The mode of automatic writing, and read-only.
import { Button } from '../../components/button.js';
import { useDoing } from '../../doing.js';
import { useJustChanged } from '../../loading.js';
import { html } from '../../preact.js';
import { t } from '../../texts.js';
import { changeMode, changeReadOnly } from './changes.js';

const MODES = ['shadow', 'auto', 'manual'];

export function Switches({ health }) {
  const [changing, change] = useDoing();
  const [busy, run] = useDoing();
  const resting = useJustChanged(health.read_only);
  const held = changing || health.read_only;
  return html`<div class="grid">
    <fieldset class="card switch" disabled=${held}>
      <legend>${t('switches.mode')}</legend>
      <p class="muted">${t('switches.mode_hint')}</p>
      ${MODES.map(
        (mode) => html`<label key=${mode} class="choice">
          <input type="radio" name="mode" value=${mode} checked=${health.mode === mode}
            onClick=${(event) => {
              // It stays as it is until somebody agrees and it is done.
              event.preventDefault();
              if (health.mode !== mode) change(() => changeMode(mode, health));
            }} />
          <span>${t(`mode.${mode}`)}<div class="field-hint">${t(`mode_hint.${mode}`)}</div></span>
        </label>`,
      )}
    </fieldset>
    <section class="card switch" aria-labelledby="read-only">
      <h3 id="read-only">${t('switches.read_only')}</h3>
      <p class="muted">${t('switches.read_only_hint')}</p>
      <p>${t(health.read_only ? 'switches.read_only_is_on' : 'switches.read_only_is_off')}</p>
      <div class="row"><${Button} kind=${health.read_only ? 'filled' : 'tonal'} busy=${busy} disabled=${resting} onClick=${() => run(() => changeReadOnly(!health.read_only))}>
        ${t(health.read_only ? 'switches.end_read_only' : 'switches.begin_read_only')}
      <//></div>
    </section>
  </div>`;
}
