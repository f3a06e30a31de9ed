// A line of the audit in words: what was done, from what to what, and why.
import { reasonText } from '../errors.js';
import { fileText, whoseText } from '../names.js';
import { hasText, t } from '../texts.js';
import { labelOf, valueText } from '../views/policy/settings.js';

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const COUNTS = ['items', 'evidence', 'events', 'known', 'gave_way', 'deleted', 'kept', 'returned', 'admins'];
/** Lines that name a file. */
const NAMED = ['import', 'snapshot'];

/** Whether a person did it or asked for it; what the plugin and the model learn unasked has another actor, and so has what an operator does. */
const isPerson = (actor) => !/^(system$|operator|tool:)/.test(actor);

/**
 * What was done; of an edit, to which part; of a refusal, whether there was a memory already (without a line, either); of
 * what was learnt, whether a person asked for it; of an undo, what it took back.
 */
export function actionText({ action, actor = 'system', before = '', reason = '', memory_id: id, undone }) {
  if (undone) return t('audit.undid', { what: actionText(undone) });
  const known = id ? 'known' : 'new';
  const parts = {
    refuse: id === undefined ? reason : known,
    add: isPerson(actor) && 'asked',
    import: !id && fileText(before) !== before && 'snapshot',
  };
  const part = action in parts ? parts[action] : reason;
  const key = [`audit_action.${action}.${part}`, `audit_action.${action}`].find(hasText);
  return key ? t(key) : action;
}

/** The lines, latest first, each undo with the line that it took back as `undone`, as far as the older ones tell. */
export const withUndone = (lines) => lines.map((line, at) => (line.action === 'undo' ? { ...line, undone: undoneBy(line, lines.slice(at + 1)) } : line));

function undoneBy({ memory_id: id, before, after, fact }, older) {
  const own = older.filter((line) => line.memory_id === id);
  const was = own[0]?.fact;
  return own.find((line) => {
    if (before !== after) return line.before === after && line.after === before;
    return was !== fact ? line.reason === 'fact' && line.fact === was : ['edit', 'share', 'unshare'].includes(line.action) && line.reason !== 'fact';
  });
}

/** What was done to so many memories. */
export function manyText({ action, actor, reason }, count) {
  const key = action === 'add' && isPerson(actor) ? 'audit_many.add.asked' : `audit_many.${action}`;
  return hasText(key) ? t(key, { count }) : t('audit.many', { action: actionText({ action, reason }), count });
}

/** From what to what, a person by the name if it is among `names`; empty where nothing but ids would tell it. */
export function changeText({ action, before, after }, names = new Map()) {
  // What these did, their name says.
  if (['readonly', 'readwrite', 'pause', 'resume'].includes(action)) return '';
  const [from, to] = [before, after].map((state) => (state && !ID.test(state) ? (names.get(state) ?? (NAMED.includes(action) && !hasText(`status.${state}`) ? fileText(state) : statesText(action, state))) : ''));
  // An import names its file first.
  // What was erased is of the account that stood there before.
  return from && to && from !== to ? `${from} → ${to}` : to || (ID.test(after) || action === 'erase' || action === 'forget_all' ? from : '');
}

/** Most lines tell a status; some a word of their own, or where it was shared and its level. */
function statesText(action, states) {
  if (action === 'policy') return t('audit.version', { version: states });
  // What is shared is public, and what was so before stays as it is.
  return states.replace(/^(everywhere|chat) PUBLIC$/, '$1').split(' ').map((state) => stateText(action, state)).join(t('audit.level'));
}

function stateText(action, state) {
  const families = ['audit_state', 'status', 'mode', 'level', 'type'];
  const key = [`audit_state.${action}.${state}`, ...families.map((family) => `${family}.${state}`)].find(hasText);
  return key ? t(key) : state;
}

/** A setting and what it became; older lines name it alone. */
function policyText(change) {
  const [, field, before, after] = /^(\S+): (.*) -> (.*)$/s.exec(change) ?? [null, change];
  if (after === undefined) return labelOf(field);
  return `${labelOf(field)}${t('policy.colon')}${valueText(field, JSON.parse(before))} → ${valueText(field, JSON.parse(after))}`;
}

/** What the change and the reason of a line are: of an import where it came from, of what counts its result. */
export const labelsOf = ({ action, reason }) => [
  action === 'import' ? 'audit.source' : action === 'snapshot' ? 'audit.snapshot' : 'audit.change',
  /^(\d+$|[a-z_]+=\d)/.test(reason) ? 'audit.result' : 'audit.reason',
];

/** The id of the memory that came in the place of the one that a line is about; undefined where none did. */
export const successorOf = ({ reason }) => (reason.startsWith('superseded_by ') ? reason.split(' ')[1] : undefined);

/** Why, in a sentence: a rule, what was changed, that another memory came, how many it was about. */
export function whyText({ action, before, after, reason }, names = new Map()) {
  if (!reason || action === 'edit' || reason === 'forgotten' || (action === 'undo_import' && ID.test(reason))) return '';
  if (successorOf({ reason })) return t('audit.superseded_by');
  if (ID.test(reason)) return t('audit.of_import');
  if (action === 'policy') return reason.split(/, (?=[a-z]+\.)/).map(policyText).join(t('audit.and'));
  if (action === 'retry' || action === 'read_now') return t('audit.count.events', { count: Number(reason) });
  const counts = reason.split(' ').map((part) => part.split('='));
  if (counts.every(([name, count]) => COUNTS.includes(name) && /^\d+$/.test(count))) {
    const some = counts.filter(([, count]) => Number(count) > 0);
    return (some.length > 0 ? some : counts.slice(0, 1)).map(([name, count]) => t(`audit.count.${name}`, { count: Number(count) })).join(t('audit.and'));
  }
  if (action === 'pause' || action === 'resume') return t('audit.whose', { name: whoseText(reason, names) });
  if (names.has(reason)) return names.get(reason);
  // What was let go has no reason of its own: it is the one that it had until then.
  const why = reasonText(reason, after === 'active' ? before : after).replace(/[.。]$/, '');
  if (action === 'release' || (after === 'active' && ['shadow', 'pending'].includes(before))) return t('audit.earlier', { reason: why });
  return after === 'active' && before && before !== after ? t('audit.before', { reason: why }) : why;
}
