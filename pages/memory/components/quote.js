// The words a memory rests on.
import { chatText } from '../names.js';
import { html } from '../preact.js';
import { hasText, t } from '../texts.js';
import { Time } from './time.js';

/**
 * One piece of evidence: what was said, in its sentence, by whom, when, where, and how it was found. `names` are those
 * of useNames.
 */
export function Quote({ evidence, names }) {
  const method = `origin.${evidence.extraction_method}`;
  return html`<figure class="quote">
    <blockquote><${Words} evidence=${evidence} /></blockquote>
    <figcaption class="muted">
      <span title=${evidence.role === 'user' ? evidence.sender_id : undefined}>${speaker(evidence)}</span>
      <${Time} at=${evidence.said_at} exact />
      ${evidence.umo && html`<span class="breakable" title=${evidence.umo}>${chatText(evidence.umo, names)}</span>`}
      <span>${hasText(method) ? t(method) : evidence.extraction_method}</span>
    </figcaption>
  </figure>`;
}

/** The quote, marked where it is not the whole message. */
function Words({ evidence: { quote, before, after } }) {
  if (!quote) return html`<em class="muted">${t('quote.none')}</em>`;
  if (!before && !after) return quote;
  return html`<span class="muted">${before}</span><mark>${quote}</mark><span class="muted">${after}</span>`;
}

function speaker({ role, sender_name: name, sender_id: id }) {
  if (role === 'tool') return t('quote.tool');
  if (role === 'assistant') return t('quote.bot');
  return name || id || t('quote.unknown');
}
