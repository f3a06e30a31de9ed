// Taking back what a snapshot holds: asked for, done, told.
import * as api from '../../api.js';
import { confirm } from '../../components/dialog.js';
import { toast } from '../../components/toast.js';
import { formatBrief, formatInstant } from '../../format.js';
import { refreshHealth } from '../../health.js';
import { gap, t } from '../../texts.js';

/** So many memories are named before a restore. */
const MOST_NAMED = 5;

/** What an import did. */
export const outcomeText = ({ added, known, differing, gave_way: gaveWay }) =>
  [
    t('transfer.outcome', { added: added.items, known: known.items }),
    differing.items > 0 && t('transfer.differing', { count: differing.items }),
    gaveWay.items > 0 && t('transfer.history', { gave_way: gaveWay.items }),
  ].filter(Boolean).join(gap());

/** So many of them, under their title; nothing where there is none. */
function listed(title, each, count) {
  const more = count - each.length;
  return count > 0 ? ['', t(title), ...each, ...(more > 0 ? [t('review.left_more', { count: more })] : [])] : [];
}

/** What a restore would do, in lines: how much comes back, some of it, and what stays as it is here. */
function wouldText({ added, known, differing, gave_way: gaveWay, named }) {
  const stay = [
    known.deleted > 0 && t('restore.forgotten', { count: known.deleted }),
    differing.items > 0 && t('restore.differing', { count: differing.items }),
    gaveWay.items > 0 && t('restore.gave_way', { count: gaveWay.items }),
  ].filter(Boolean);
  const facts = named.slice(0, MOST_NAMED).map(({ fact }) => t('imports.goes', { fact: formatBrief(fact) }));
  return [t('restore.would', { count: added.items, evidence: added.evidence }), ...stay, ...listed('import.named', facts, added.items)];
}

/** Say what it would bring back, ask, do it; true when it was agreed to and done. */
export async function restore({ name, at, items }) {
  const would = await api.post('snapshots/restore/check', { name });
  const agreed = await confirm({
    title: t('restore.title'),
    text: [t('restore.text', { at: formatInstant(at), count: items }), ...wouldText(would)].join('\n'),
    agree: t('restore.agree'),
    held: would.added.items + would.added.evidence === 0,
  });
  if (!agreed) return false;
  const done = await api.post('snapshots/restore', { name });
  await refreshHealth();
  toast({ message: outcomeText(done) });
  return true;
}
