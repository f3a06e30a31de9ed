// What a memory's place rests on: each signal's share of its score.
import { Stripe, Swatch } from '../../components/chart.js';
import { formatNumber } from '../../format.js';
import { html } from '../../preact.js';
import { hasText, t } from '../../texts.js';

const SHARES = [
  ['similarity', 1],
  ['importance', 2],
  ['recency', 4],
];
/** Below this the rest of a score is rounding. */
export const NOTHING = 0.0005;

const number = (value) => formatNumber(value, { maximumFractionDigits: 3 });

/**
 * The shares as one bar and as numbers; `highest` is the best score of the list, which fills the width. What the
 * three leave of the score was added for a person or a day that the question names, or for plans it asks for.
 */
export function Signals({ given, highest }) {
  const shares = SHARES.map(([name, tone]) => ({ key: name, label: t(`signal.${name}`), tone, value: given[name] ?? 0 }));
  // Without a word in common and a vector it is the floor of `rank.py`, and no similarity to anything.
  const floor = !(given.words > 0) && given.cosine == null && given.similarity > 0;
  if (floor) Object.assign(shares[0], { key: 'floor', label: t('signal.floor') });
  const rest = given.score - shares.reduce((sum, { value }) => sum + value, 0);
  if (rest > NOTHING) shares.push({ key: 'named', label: t('signal.named'), tone: 5, value: rest });
  const parts = shares.map((each) => ({ ...each, share: Math.max(0, each.value) / Math.max(highest, NOTHING) }));
  return html`<div class="signals">
    <${Stripe} parts=${parts} height=${10} />
    <dl class="signal-numbers">
      <div><dt>${t('signal.score')}</dt><dd><strong>${number(given.score)}</strong></dd></div>
      ${shares.map(
        ({ key, label, tone, value }) => html`<div key=${key} title=${hasText(`signal.${key}_hint`) ? t(`signal.${key}_hint`) : undefined}><dt><${Swatch} tone=${tone} />${label}</dt><dd>${number(value)}</dd></div>`,
      )}
      ${['words', 'cosine'].map(
        (name) => given[name] != null && html`<div key=${name} title=${t(`signal.${name}_hint`)}><dt>${t(`signal.${name}`)}</dt><dd>${number(given[name])}</dd></div>`,
      )}
    </dl>
    ${floor && html`<p class="muted">${t('signal.floor_explained')}</p>`}
  </div>`;
}
