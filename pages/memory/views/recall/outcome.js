// What a request was given, and what not and why: the same for a try and for a real recall.
import * as api from '../../api.js';
import { Answer } from '../../components/answer.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/field.js';
import { StatusChip, TypeChip } from '../../components/item.js';
import { useDoing } from '../../doing.js';
import { formatInstant, formatNumber } from '../../format.js';
import { useLoaded } from '../../loading.js';
import { Fragment, html, useState } from '../../preact.js';
import { linkTo } from '../../route.js';
import { gap, hasText, locale, t } from '../../texts.js';
import { NOTHING, Signals } from './signals.js';

/** Types that go along whatever is asked, as `STANDING_TYPES`. */
const STANDING = ['profile', 'constraint'];
/** Rules by which the lower score stays behind; to the others it does not matter. */
const BY_SCORE = ['duplicate', 'max_per_type', 'max_items', 'max_tokens'];
/** From here on some may be missing in the list. */
const PART = 10;
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g;
const WORDS_ALONE = ['no_question', 'no_provider', 'deadline', 'provider_down'];

/**
 * `outcome` is {given, left_out, reason, vectors, scope_id, owner, account, asked, said}: `owner` is the name that goes with
 * the scope, `account` is set where it is a person's. A try has its `block` and `tokens` too, a recall of the log is `past`.
 */
export function Outcome({ outcome }) {
  const { given, left_out: left } = outcome;
  const everything = asksForAll(outcome);
  const highest = Math.max(0, ...given.map(({ score }) => score));
  return html`<${Fragment}>
    <${Told} outcome=${outcome} />
    ${outcome.block && html`<${Block} outcome=${outcome} />`}
    ${given.length > 0 &&
    html`<section class="stacked" aria-label=${t('recall.given')}>
      <h3>${t('recall.given_count', { count: given.length })}</h3>
      <ol class="recall-list">${given.map((each) => html`<${Given} key=${each.memory_id} given=${each} highest=${highest} everything=${everything} />`)}</ol>
    </section>`}
    ${outcome.reason !== 'paused' &&
    outcome.reason !== 'reading_off' &&
    html`<section class="stacked" aria-label=${t('recall.left_out')}>
      ${left.length > 0
        ? html`<h3>${t('recall.left_out_count', { count: left.length })}</h3>`
        : html`<p class="muted">${t(nothingLeftOut(outcome.past, everything))}</p>`}
      <ul class="recall-list">${left.map((each) => html`<${LeftOut} key=${each.memory_id} left=${each} below=${given.filter(({ score }) => score < each.score)} />`)}</ul>
      ${left.length > 0 && html`<p class="muted">${left.length >= PART && t('recall.left_out_part') + gap()}<${AllWaiting} outcome=${outcome} /></p>`}
    </section>`}
    ${outcome.not_here > 0 &&
    html`<p>${t('recall.not_here', { count: outcome.not_here })}${gap()}<a href=${linkTo('memories', null, { scope_id: outcome.scope_id })}>${t('recall.all_of_person')}</a></p>`}
    ${outcome.asked && html`<${Absent} key=${JSON.stringify(outcome.asked)} asked=${outcome.asked} />`}
  <//>`;
}

/** The way to what waits of the person, if anything does. */
function AllWaiting({ outcome: { account, scope_id: scope, owner } }) {
  const { data } = useLoaded(() => api.get('review', { scope_id: scope, page_size: 1 }), [scope]);
  return data?.total > 0 && html`<a href=${linkTo('review', null, { account, scope_id: scope })}>${t('recall.all_waiting', { owner })}</a>`;
}

/** Why nothing was included, in words; of a recall of the log as it was then. Undefined where there are none. */
export function noneText(reason, left, past) {
  // What such a recall left out is in no use.
  const none = reason === 'nothing_remembered' && left > 0 ? 'none_in_use' : reason;
  const key = [past && `recall_reason_then.${none}`, `recall_reason.${none}`].find((each) => each && hasText(each));
  return key && t(key);
}

/**
 * What became of what the person said, as far as this chat may tell; `asked` is {account, umo, level}, and `recall_id` of a
 * recall of the log, which it is about then.
 */
function Absent({ asked }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState(null);
  const [busy, run] = useDoing();
  const ask = (event) => {
    event.preventDefault();
    if (text.trim()) run(async () => setFound(await api.post('recall/why-not', { ...asked, text: text.trim(), language: locale() })));
  };
  return html`<form class="stacked" onSubmit=${ask}>
    <${TextField} label=${t('recall.absent')} hint=${t(asked.recall_id ? 'recall.absent_hint_then' : 'recall.absent_hint')} value=${text} onValue=${setText} />
    <div class="row"><${Button} type="submit" busy=${busy} disabled=${!text.trim()}>${t('recall.absent_ask')}<//></div>
    <${Answer} to=${found}>${found && html`<p class="keep-lines">${found.text.replace(INSTANT, formatInstant)}</p>
      ${found.memories.map((each) => html`<${Fact} key=${each.memory_id} memory=${each} />`)}`}<//>
  </form>`;
}

function nothingLeftOut(past, everything) {
  if (past) return 'recall.nothing_left_out_then';
  return everything ? 'recall.nothing_left_out_of_all' : 'recall.nothing_left_out';
}

/** Why nothing was given, or why words alone decided. */
function Told({ outcome }) {
  const { given, left_out: left, reason, vectors, past } = outcome;
  const none = given.length === 0;
  const why = asksForAll(outcome) ? t('recall_reason.asks_for_all') : reason && (noneText(reason, left.length, past) ?? reason);
  const search = WORDS_ALONE.includes(reason) || vectors;
  return html`<div class="stacked">
    ${none && html`<p><strong>${t('recall.nothing')}</strong>${gap()}${!WORDS_ALONE.includes(reason) && why}</p>`}
    ${search && html`<p class="muted">${vectors ? t('recall.by_meaning') : reason === 'no_question' ? why : t('recall.by_words', { why })}</p>`}
  </div>`;
}

const Block = ({ outcome: { block, tokens } }) => html`<section class="stacked" aria-label=${t('recall.block')}>
  <h3>${t('recall.block')}</h3>
  <p class="muted">${t('recall.tokens', { count: tokens })}</p>
  <pre class="block" tabindex="0">${block}</pre>
</section>`;

/** Nothing is searched for where a message without words came, or one that asks for everything. */
const asksForAll = ({ reason, said }) => reason === 'no_question' && Boolean(said);

const Given = ({ given, highest, everything }) => html`<li class="card">
  <${Fact} memory=${given} />
  <p>${t(`recall.why.${everything ? 'everything' : whyGiven(given)}`)}</p>
  <${Signals} given=${given} highest=${highest} />
</li>`;

/** What spoke for it most, in a word. */
function whyGiven({ words, cosine, type, score, similarity, importance, recency }) {
  if (score - similarity - importance - recency > Math.max(similarity, NOTHING)) return 'named';
  if (words > 0) return 'words';
  if (STANDING.includes(type)) return 'standing';
  return cosine > 0 ? 'meaning' : 'own';
}

/** `below` are those that were included with a lower score. */
function LeftOut({ left, below }) {
  // Of a status the words below tell.
  const told = hasText(`status.${left.rule}`);
  const key = `left_out.${left.rule}`;
  // What its status forbade then, it may allow now.
  const then = told && left.status && left.status !== left.rule;
  const ofOthers = left.rule === 'max_per_type' && below.some(({ type }) => type !== left.type);
  const above = left.rule === 'duplicate' || below.length === 0 ? 'recall.score' : ofOthers ? 'recall.score_above_types' : 'recall.score_above';
  const score = BY_SCORE.includes(left.rule) && left.score != null && t(above, { score: formatNumber(left.score, { maximumFractionDigits: 3 }) });
  return html`<li class="card">
    <${Fact} memory=${left} told=${told} />
    <p>${then ? t('recall.then', { then: t(`status.${left.rule}`), now: t(`status.${left.status}`) }) : hasText(key) ? t(key) : left.rule}${score && html`${gap()}<span class="muted">${score}</span>`}</p>
  </li>`;
}

/** Its words, as they were then, as a link to it; of one that is gone only that. */
function Fact({ memory, told = false }) {
  const { memory_id: id, fact, status, reworded, retyped } = memory;
  if (!status) return html`<p class="muted">${t('recall.gone')}</p>`;
  return html`<div class="row row-spread">
    <a class="breakable fact-link" href=${linkTo('memories', id)}>${fact ?? t('recall.unworded')}</a>
    <span class="row">${reworded && html`<span class="muted">${t('recall.reworded')}</span>`}${retyped && html`<span class="muted">${t('recall.retyped')}</span>`}<${TypeChip} item=${memory} />${status !== 'active' && !told && html`<${StatusChip} status=${status} />`}</span>
  </div>`;
}
