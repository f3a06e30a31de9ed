// What is being worked at: messages to be read, memories to be embedded. Asked again while it goes on.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { toast } from '../../components/toast.js';
import { useDoing } from '../../doing.js';
import { formatAge, formatInstant, formatNumber } from '../../format.js';
import { refreshHealth } from '../../health.js';
import { html, useEffect } from '../../preact.js';
import { gap, t } from '../../texts.js';

const PAUSE = 5_000;

async function readNow() {
  await api.post('jobs/read-now');
  await refreshHealth();
  toast({ message: t('overview.reading') });
}

export function Work({ health }) {
  const queued = health.events.pending ?? 0;
  const { embedded = 0, embeddable = 0, embedding_model: model } = health;
  const next = queued > 0 ? health.next_reading_at : null;
  const [busy, run] = useDoing();
  const going = queued > 0 || embedded < embeddable;
  useEffect(() => {
    if (!going) return undefined;
    const timer = setInterval(refreshHealth, PAUSE);
    return () => clearInterval(timer);
  }, [going]);
  return html`<dl class="work">
    <div><dt>${t('overview.queue')}</dt><dd>
      ${queued > 0 ? t('overview.queue_some', { count: queued }) : t('overview.queue_none')}
      ${next && html`${gap()}<span title=${formatInstant(next)}>${nextText(next)}</span>
        ${gap()}<${Button} kind="text" busy=${busy} disabled=${health.read_only} onClick=${() => run(readNow)}>${t('overview.read_now')}<//>`}
    </dd></div>
    ${model &&
    html`<div><dt>${t('overview.embedding')}</dt><dd><span class="breakable">${model}</span><${Progress} label=${t('overview.embedding')} done=${embedded} total=${embeddable} /></dd></div>`}
  </dl>`;
}

/** When messages are read next; what is due is about to begin. */
const nextText = (at) => (Date.parse(at) - Date.now() < 60_000 ? t('overview.next_reading_due') : t('overview.next_reading', { at: formatAge(at) }));

/** How far something has come. */
export const Progress = ({ label, done, total }) => html`<span class="progress">
  <progress aria-label=${label} max=${Math.max(1, total)} value=${total === 0 ? 1 : done}></progress>
  <span>${t('progress.of', { done: formatNumber(done), total: formatNumber(total) })}</span>
</span>`;
