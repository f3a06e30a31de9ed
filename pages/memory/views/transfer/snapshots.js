// The copies that the plugin makes of itself each day.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { Chip } from '../../components/chip.js';
import { confirm } from '../../components/dialog.js';
import { Section } from '../../components/section.js';
import { Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { toast } from '../../components/toast.js';
import { useDoing } from '../../doing.js';
import { formatBytes, formatInstant } from '../../format.js';
import { useLoaded } from '../../loading.js';
import { html } from '../../preact.js';
import { t } from '../../texts.js';
import { restore } from './restore.js';

export function Snapshots({ turn, readOnly, onRestored }) {
  const found = useLoaded(() => api.get('snapshots'), [turn]);
  const [busy, run] = useDoing();
  const create = async () => {
    const { snapshots } = await api.get('snapshots');
    const gone = snapshots.find(({ at }) => dayOf(at) === dayOf(new Date().toISOString()));
    if (gone && !(await confirm({ title: t('snapshots.ask'), text: t('snapshots.ask_text', { at: formatInstant(gone.at), count: gone.items }), agree: t('snapshots.create'), danger: true }))) return;
    await api.post('snapshots/create');
    toast({ message: t('snapshots.created') });
    await found.reload();
  };
  const take = async (row) => {
    if (await restore(row)) onRestored();
  };
  const columns = [
    { key: 'at', title: t('snapshots.at'), cell: (row) => html`<span title=${row.name}><${Time} at=${row.at} exact /></span>` },
    { key: 'items', title: t('snapshots.items'), number: true, cell: (row) => row.items },
    { key: 'bytes', title: t('snapshots.size'), number: true, cell: (row) => formatBytes(row.bytes) },
    { key: 'good', title: t('snapshots.state'), cell: (row) => html`<${State} snapshot=${row} />` },
    {
      key: 'restore',
      title: t('snapshots.restore'),
      cell: (row) =>
        row.good &&
        html`<${Button} busy=${busy} disabled=${readOnly} aria-label=${t('snapshots.restore_of', { at: formatInstant(row.at) })} onClick=${() => run(() => take(row))}>${t('snapshots.restore')}<//>`,
    },
  ];
  const actions = html`<${Button} busy=${busy} onClick=${() => run(create)}>${t('snapshots.create')}<//>`;
  return html`<${Section} title=${t('snapshots.title')} hint=${t('snapshots.hint')} actions=${actions}>
    <${Loaded} of=${found}>${({ snapshots }) =>
      snapshots.length === 0
        ? html`<p class="muted">${t('snapshots.none')}</p>`
        : html`<${Table} label=${t('snapshots.title')} columns=${columns} rows=${snapshots} keyOf=${({ name }) => name} />`}<//>
  <//>`;
}

/** The day of UTC, of which one is kept. */
const dayOf = (at) => at.slice(0, 10);

const State = ({ snapshot: { good, why } }) =>
  good
    ? html`<${Chip} tone="success">${t('snapshots.good')}<//>`
    : html`<span><${Chip} tone="error">${t('snapshots.bad')}<//> <span class="muted breakable">${why}</span></span>`;
