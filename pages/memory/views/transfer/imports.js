// What was imported, and the way back from each.
import * as api from '../../api.js';
import { Actor } from '../../components/actor.js';
import { Button } from '../../components/button.js';
import { Pager } from '../../components/pager.js';
import { Section } from '../../components/section.js';
import { Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { STAYS, toast, toastError } from '../../components/toast.js';
import { formatInstant } from '../../format.js';
import { refreshHealth } from '../../health.js';
import { reloadShown, useLoaded } from '../../loading.js';
import { html, useState } from '../../preact.js';
import { linkTo } from '../../route.js';
import { createStore, useStore } from '../../store.js';
import { t } from '../../texts.js';

/** The id of the import that is being undone. */
const going = createStore(null);

export function Imports({ turn, readOnly }) {
  const [page, setPage] = useState(1);
  const found = useLoaded(() => api.get('imports', { page, page_size: 20 }), [page, turn]);
  const goingId = useStore(going);
  const columns = [
    { key: 'at', title: t('imports.at'), cell: (row) => html`<${Time} at=${row.at} exact />` },
    { key: 'actor', title: t('imports.actor'), cell: (row) => html`<${Actor} actor=${row.actor} />` },
    { key: 'kind', title: t('imports.kind'), cell: (row) => html`<span class="breakable" title=${`SHA-256 ${row.sha256}`}>${row.name || t(row.kind === 'restore' ? 'imports.of_snapshot' : 'imports.of_file')}</span>` },
    { key: 'items', title: t('imports.items'), number: true, cell: (row) => html`<a href=${linkTo('memories', null, { import_id: row.import_id })}>${row.items}</a>` },
    {
      key: 'undo',
      title: t('imports.undo'),
      cell: (row) =>
        row.items + row.events === 0
          ? html`<span class="muted">${t('imports.nothing_added')}</span>`
          : row.undone_at
          ? html`<span class="muted">${t('imports.was_undone')}${' '}<${Time} at=${row.undone_at} /></span>`
          : html`<${Button} kind="danger" busy=${goingId === row.import_id} disabled=${readOnly || goingId !== null} aria-label=${t('imports.undo_of', { at: formatInstant(row.at) })} onClick=${() => undo(row)}>${t('imports.undo')}<//>`,
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

/** There is no way back from it, so it begins when there was time to stop it, wherever one goes meanwhile. */
function undo(row) {
  const [at, about] = [formatInstant(row.at), row.import_id];
  const timer = setTimeout(() => {
    toast({ message: t('imports.undo_begun', { at }), about });
    undone(row).catch(toastError).finally(() => going.set(null));
  }, STAYS);
  const stop = () => {
    clearTimeout(timer);
    going.set(null);
    return t('imports.undo_stopped');
  };
  going.set(about);
  toast({ message: t('imports.undoing', { at }), undo: stop, back: t('action.cancel'), about });
}

/** Take an import back, and say what became of what it brought. */
async function undone({ import_id: id, items }) {
  const { deleted, kept } = await api.post(`imports/${id}/undo`);
  const rest = items - deleted - kept;
  const told = [t(kept > 0 ? 'imports.undone_but' : 'imports.undone', { deleted, kept })];
  if (rest > 0) told.push(t('imports.undone_rest', { count: rest }));
  toast({ message: told.join(' '), about: id });
  reloadShown();
  await refreshHealth();
}
