// The memories beside one: what it replaces, and what says otherwise.
import { formatInstant } from '../format.js';
import { html } from '../preact.js';
import { gap, t } from '../texts.js';

/** All of them, of a memory with `all` that there is to know of it; `link` is of an id, without it they are texts. */
export const Beside = ({ all: { item, replaces, otherwise }, link }) => html`
  <${Replaces} these=${replaces} link=${link} />
  <${Otherwise} these=${otherwise} used=${item.status === 'active'} link=${link} />
`;

/** That its evidence is of an earlier text, where an operator edited it. */
export const Reworded = ({ all: { evidence, reworded_at: at } }) => at && evidence.length > 0 && html`<p class="note">${t('memory.reworded', { at: formatInstant(at) })}</p>`;

/** What approving a waiting memory takes out of use; `link` is of an id. */
export const Replaces = ({ these = [], link }) => html`<${Others} told="review.replaces" these=${these} link=${link} />`;

/** What it leaves that says otherwise, by which of the two is used then, or now where it is `used`. */
export const Otherwise = ({ these = [], used = false, link }) =>
  ['both', 'this', 'other', 'waits'].map((which) => html`<${Others} told=${used ? `memory.otherwise.${which}` : `review.otherwise.${which}`} these=${these.filter(({ then }) => then === which)} later=${which === 'other'} link=${link} />`);

/** `later` where the text tells that these are newer. */
const Others = ({ told, these, later = false, link }) =>
  these.length > 0 &&
  html`<p>${t(told)}${gap()}${these.map(({ memory_id: id, fact, newer }, at) => html`${at > 0 && t('audit.and')}${link ? html`<a class="breakable" href=${link(id)}>${fact}</a>` : fact}${newer && !later && gap() + t('review.newer')}`)}</p>`;
