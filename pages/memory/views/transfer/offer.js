// After the host was restored or moved, or the data deleted: the newest snapshot, offered where nobody can overlook it.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { Time } from '../../components/time.js';
import { useDoing } from '../../doing.js';
import { useLoaded } from '../../loading.js';
import { html } from '../../preact.js';
import { t } from '../../texts.js';
import { restore } from './restore.js';

/** Nothing when there is nothing to offer, or it cannot be asked now: the views say that themselves. */
export function SnapshotOffer({ onRestored }) {
  const found = useLoaded(() => api.get('snapshots'), []);
  const [busy, run] = useDoing();
  const offered = found.data?.snapshots.find(({ name }) => name === found.data.offer);
  if (!offered) return null;
  const take = async () => {
    if (!(await restore(offered))) return;
    await found.reload();
    onRestored?.();
  };
  return html`<section class="banner banner-warning offer" role="status" aria-label=${t('offer.title')}>
    <div>
      <strong>${t('offer.title')}</strong>
      <p>${t('offer.text', { count: offered.items })}${' '}<${Time} at=${offered.at} exact /></p>
    </div>
    <${Button} kind="filled" busy=${busy} onClick=${() => run(take)}>${t('offer.restore')}<//>
  </section>`;
}
