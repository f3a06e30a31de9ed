// Taking back what a snapshot holds: asked for, done, told.
import * as api from '../../api.js';
import { confirm } from '../../components/dialog.js';
import { toast } from '../../components/toast.js';
import { formatInstant } from '../../format.js';
import { refreshHealth } from '../../health.js';
import { gap, t } from '../../texts.js';

/** What an import did. */
export const outcomeText = ({ added, known, differing, gave_way: gaveWay }) =>
  [
    t('transfer.outcome', { added: added.items, known: known.items }),
    differing.items > 0 && t('transfer.differing', { count: differing.items }),
    gaveWay.items > 0 && t('transfer.history', { gave_way: gaveWay.items }),
  ].filter(Boolean).join(gap());

/** True when it was agreed to and done. */
export async function restore({ name, at, items }) {
  const agreed = await confirm({
    title: t('restore.title'),
    text: t('restore.text', { at: formatInstant(at), count: items }),
    agree: t('restore.agree'),
  });
  if (!agreed) return false;
  const done = await api.post('snapshots/restore', { name });
  await refreshHealth();
  toast({ message: outcomeText(done) });
  return true;
}
