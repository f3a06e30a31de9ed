// Errors and reasons in words.
import { hasText, t } from './texts.js';

/** Sentences of the API that people meet, by how they begin. */
const SAID = [
  ['its checksum is wrong', 'said.checksum'],
  ['cannot be read, it is damaged', 'said.damaged'],
  ['is of format version', 'said.newer'],
  ['the plugin is not loaded', 'banner.closed'],
];

/** What went wrong, for people: a rule that forbids it by its reason, anything else as the API says it. */
export function errorText({ message, field }) {
  const refused = `refused.${field ?? message}`;
  if (hasText(refused)) return t(refused);
  if (hasText(`reason.${message}`)) return t(`reason.${message}`, { detail: t('reason_end') });
  if (field && hasText(`stopped.${field}`)) return t(`stopped.${field}`);
  const said = SAID.find(([beginning]) => message.startsWith(beginning));
  if (said) return t(said[1]);
  return field ? `${field}: ${message}` : sentence(message);
}

/** A reason on a line of its own, which begins with a capital; behind a name and a colon it begins with a small letter. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Why a value does not fit its field, as a sentence. */
export const unfitText = (rule, values) => t(`unfit.${rule}`, values) + t('reason_end');

/** Why the plugin does not run, by the rule that a setting breaks; what has no rule as the API says it. */
export const problemText = ({ rule, values, why }) => (hasText(`unfit.${rule}`) ? t(`unfit.${rule}`, values) : why);

/** What is told of a field that a model filled with something unusable: the kind of error. */
const INVALID = /^[a-z_]+$/;

/**
 * Why a memory has its status; `reason` is a rule's name, with a detail behind a colon. The texts include those of
 * rules that are gone (`quote_unrelated`, `roles_differ` …): the audit of an older store and its exports name them.
 * With its `status`, what waits for the mode says for which.
 */
export function reasonText(reason, status) {
  if (reason === 'mode' && status === 'pending') return t('reason.mode_manual');
  const [rule, ...rest] = reason.split(':');
  const detail = rest.join(':').trim();
  if (!hasText(`reason.${rule}`)) return INVALID.test(detail) ? t('reason_invalid', { field: rule }) : reason;
  return t(`reason.${rule}`, { detail: detail ? t('reason_detail', { detail }) : t('reason_end') });
}

/** What a reason means for the evidence beside it; empty where that needs no words. */
export const reasonHint = (reason) => (hasText(`reason_hint.${reason}`) ? t(`reason_hint.${reason}`) : '');
