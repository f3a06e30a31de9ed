// What was imported, and the way back from each.
import * as api from '../../api.js';
import { Actor } from '../../components/actor.js';
import { Button } from '../../components/button.js';
import { Pager } from '../../components/pager.js';
import { Section } from '../../components/section.js';
import { Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { confirm } from '../../components/dialog.js';
import { toast } from '../../components/toast.js';
import { useDoing } from '../../doing.js';
import { formatInstant, formatNumber } from '../../format.js';
import { refreshAll } from '../../health.js';
import { useLoaded } from '../../loading.js';
import { html, useState } from '../../preact.js';
import { fileText } from '../../names.js';
import { linkTo } from '../../route.js';
import { t } from '../../texts.js';

export function Imports({ turn, readOnly, onUndone }) {
  const [page, setPage] = useState(1);
  const found = useLoaded(() => api.get('imports', { page, page_size: 20 }), [page, turn]);
  const [busy, run] = useDoing();
  const columns = [
    { key: 'at', title: t('imports.at'), cell: (row) => html`<${Time} at=${row.at} exact />` },
    { key: 'actor', title: t('imports.actor'), cell: (row) => html`<${Actor} actor=${row.actor} />` },
    { key: 'kind', title: t('imports.kind'), cell: (row) => html`<span class="breakable" title=${`SHA-256 ${row.sha256}`}>${nameText(row)}</span>` },
    { key: 'items', title: t('imports.items'), number: true, cell: (row) => html`<${Brought} row=${row} />` },
    {
      key: 'undo',
      wide: true,
      title: t('imports.undo'),
      cell: (row) =>
        row.items + row.events === 0
          ? html`<span class="muted">${t('imports.nothing_added')}</span>`
          : row.undone_at
          ? html`<span class="muted">${t('imports.was_undone')}${' '}<${Time} at=${row.undone_at} /></span>`
          : html`<${Button} kind="danger" busy=${busy} disabled=${readOnly} aria-label=${t('imports.undo_of', { which: whichText(row) })} onClick=${() => run(() => undo(row, onUndone))}>${t('imports.undo')}<//>`,
    },
  ];
  return html`<${Section} title=${t('imports.title')} hint=${t('imports.hint')}>
    <${Loaded} of=${found}>${(data) =>
      data.total === 0
        ? html`<p class="muted">${t('imports.none')}</p>`
        : html`<${Table} label=${t('imports.title')} columns=${columns} rows=${data.imports} keyOf=${(row) => row.import_id} />
            <${Pager} found=${data} onPage=${setPage} />`}<//>
  <//>`;
}

/** How many memories it brought, as a link to those that are left. */
const Brought = ({ row: { import_id: id, items } }) =>
  items > 0 ? html`<a href=${linkTo('memories', null, { import_id: id })}>${formatNumber(items)}</a>` : formatNumber(items);

/** Ask, undo the import, and say what became of what it brought. */
async function undo(row, onUndone) {
  const { import_id: id, items } = row;
  const agreed = await confirm({ title: t('imports.ask', { which: whichText(row) }), text: t('imports.ask_text', { count: items }), agree: t('imports.undo_agree'), cancel: t('action.back'), danger: true });
  if (!agreed) return;
  const done = await api.post(`imports/${id}/undo`);
  toast({ message: t('imports.undone', { which: whichText(row), rest: restText(items, done) }) });
  await refreshAll();
  onUndone();
}

/** Its file, or the time of its snapshot. */
const nameText = ({ name, kind }) => fileText(name) || t(kind === 'restore' ? 'imports.of_snapshot' : 'imports.of_file');

/** Its file and its moment: two may be of the same minute. */
const whichText = (row) => `${nameText(row)} · ${formatInstant(row.at)}`;

/** How many were removed and how many not, and why. */
function restText(items, { deleted, kept, returned }) {
  const rest = items - deleted - kept;
  const told = [t('audit.count.deleted', { count: deleted }), kept > 0 && t('audit.count.kept', { count: kept }), rest > 0 && t('imports.rest', { count: rest }), returned > 0 && t('audit.count.returned', { count: returned })];
  return told.filter(Boolean).join(t('audit.and'));
}
