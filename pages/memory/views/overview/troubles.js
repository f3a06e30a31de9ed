// What is wrong, or good to know, of a plugin by its health: a pure list, the gravest first.

import { problemText, sentence } from '../../errors.js';

/**
 * Each is {name, tone, values, link?, act?}: `overview.trouble.<name>` says what it is and `..._do` what to do about
 * it; `act` names what a button does; `link` is a view.
 */
export function troublesOf(health) {
  if (health.state !== 'running' || health.mode === undefined) return stopped(health);
  const told = [
    ...(health.problems ?? []).map((problem) => [true, { name: problem.key === 'store' ? 'store' : 'outage', tone: 'error', values: { why: sentence(problemText(problem)) } }]),
    [health.read_only, { name: 'read_only', tone: 'warning', act: 'end_read_only' }],
    [!health.chat_provider, { name: 'no_chat_provider', tone: 'warning' }],
    [failed(health) > 0, { name: 'failed', tone: 'error', values: { count: failed(health), error: health.last_error || '–' }, act: 'retry' }],
    [health.token_cap === 0, { name: 'no_tokens', tone: 'warning' }],
    [spent(health), { name: 'tokens_spent', tone: 'warning', values: { cap: health.token_cap } }],
    [health.embedding_error && health.embedding_error !== '', { name: 'embedding_error', tone: 'warning', values: { error: health.embedding_error } }],
    [health.not_embeddable > 0, { name: 'not_embeddable', tone: 'warning', values: { count: health.not_embeddable } }],
    [health.waiting_expire_soon > 0, { name: 'expire_soon', tone: 'warning', values: { count: health.waiting_expire_soon }, link: 'review' }],
    [health.memory_plugins?.length > 0, { name: 'memory_plugins', tone: 'warning', values: { names: health.memory_plugins?.join(', ') } }],
    [health.paused_people > 0, { name: 'paused_people', tone: 'neutral', values: { count: health.paused_people }, link: 'people' }],
    [health.paused_groups > 0, { name: 'paused_groups', tone: 'neutral', values: { count: health.paused_groups } }],
    [health.passed_over > 0, { name: 'passed_over', tone: 'neutral', values: { count: health.passed_over } }],
    [!health.embedding_model, { name: 'no_embedding', tone: 'neutral' }],
    [health.recall_log === false, { name: 'no_recall_log', tone: 'neutral' }],
    [failures(health) > 0, { name: 'failures', tone: 'neutral', values: { count: failures(health) } }],
  ];
  return told.filter(([is]) => is).map(([, trouble]) => ({ values: {}, ...trouble }));
}

/** The banner above says why; here what to do. */
function stopped({ state }) {
  const known = ['disabled', 'paused', 'closed', 'unreachable'];
  return [{ name: known.includes(state) ? state : 'paused', tone: 'error', values: {} }];
}

const failed = ({ events }) => events?.failed ?? 0;
const spent = ({ token_cap: cap, tokens_today: today }) => cap > 0 && today >= cap;
const failures = ({ failures: counts }) => Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
