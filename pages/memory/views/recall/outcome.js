// What a request was given, and what not and why: the same for a try and for a real recall.
import { StatusChip } from '../../components/item.js';
import { Chip } from '../../components/chip.js';
import { formatNumber } from '../../format.js';
import { Fragment, html } from '../../preact.js';
import { linkTo } from '../../route.js';
import { hasText, t } from '../../texts.js';
import { Signals } from './signals.js';

const WORDS_ALONE = ['no_question', 'no_provider', 'deadline', 'provider_down'];

/** `outcome` is {given, left_out, reason, vectors}; a try has its `block` and `tokens` too. */
export function Outcome({ outcome }) {
  const { given, left_out: left } = outcome;
  const highest = Math.max(0, ...given.map(({ score }) => score));
  return html`<${Fragment}>
    <${Told} outcome=${outcome} />
    ${outcome.block && html`<${Block} outcome=${outcome} />`}
    ${given.length > 0 &&
    html`<section class="stacked" aria-label=${t('recall.given')}>
      <h3>${t('recall.given_count', { count: given.length })}</h3>
      <ol class="recall-list">${given.map((each) => html`<${Given} key=${each.memory_id} given=${each} highest=${highest} />`)}</ol>
    </section>`}
    <section class="stacked" aria-label=${t('recall.left_out')}>
      <h3>${t('recall.left_out_count', { count: left.length })}</h3>
      ${left.length === 0 && html`<p class="muted">${t('recall.nothing_left_out')}</p>`}
      <ul class="recall-list">${left.map((each) => html`<${LeftOut} key=${each.memory_id} left=${each} />`)}</ul>
    </section>
  <//>`;
}

/** Why nothing was given, or why words alone decided. */
function Told({ outcome: { given, reason, vectors } }) {
  const none = given.length === 0;
  const key = `recall_reason.${reason}`;
  const why = reason && (hasText(key) ? t(key) : reason);
  const search = WORDS_ALONE.includes(reason) || vectors;
  return html`<div class="stacked">
    ${none && html`<p><strong>${t('recall.nothing')}</strong>${' '}${!WORDS_ALONE.includes(reason) && why}</p>`}
    ${search && html`<p class="muted">${vectors ? t('recall.by_meaning') : t('recall.by_words', { why })}</p>`}
  </div>`;
}

const Block = ({ outcome: { block, tokens } }) => html`<section class="stacked" aria-label=${t('recall.block')}>
  <h3>${t('recall.block')}</h3>
  <p class="muted">${t('recall.tokens', { count: tokens })}</p>
  <pre class="block" tabindex="0">${block}</pre>
</section>`;

const Given = ({ given, highest }) => html`<li class="card">
  <${Fact} memory=${given} />
  <${Signals} given=${given} highest=${highest} />
</li>`;

function LeftOut({ left }) {
  const key = `left_out.${left.rule}`;
  return html`<li class="card">
    <${Fact} memory=${left} />
    <p>${hasText(key) ? t(key) : left.rule}${left.score != null && html`${' '}<span class="muted">${t('recall.score', { score: formatNumber(left.score, { maximumFractionDigits: 3 }) })}</span>`}</p>
  </li>`;
}

/** Its words as a link to it; of one that is gone only that. */
function Fact({ memory: { memory_id: id, fact, type, status } }) {
  if (fact === null) return html`<p class="muted">${t('recall.gone')}</p>`;
  return html`<div class="row row-spread">
    <a class="breakable fact-link" href=${linkTo('memories', id)}>${fact}</a>
    <span class="row"><${Chip}>${t(`type.${type}`)}<//>${status !== 'active' && html`<${StatusChip} status=${status} />`}</span>
  </div>`;
}
