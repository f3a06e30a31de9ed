// The messages that could not be read: why, never what they say.
import * as api from '../../api.js';
import { Pager } from '../../components/pager.js';
import { Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { useLoaded } from '../../loading.js';
import { chatText, useNames } from '../../names.js';
import { html, useState } from '../../preact.js';
import { t } from '../../texts.js';

/** Asked for when it is opened, and again when their number changes. */
export function FailedMessages({ count }) {
  const [open, setOpen] = useState(false);
  return html`<details onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${t('overview.failed_which')}</summary>
    ${open && html`<${List} count=${count} />`}
  </details>`;
}

function List({ count }) {
  const [page, setPage] = useState(1);
  const names = useNames();
  const found = useLoaded(() => api.get('jobs', { page, page_size: 10 }), [page, count]);
  const columns = [
    { key: 'at', title: t('overview.failed_at'), cell: (row) => html`<${Time} at=${row.created_at} />` },
    { key: 'umo', title: t('overview.failed_chat'), cell: (row) => html`<span title=${row.umo}>${chatText(row.umo, names)}</span>` },
    { key: 'attempts', title: t('overview.failed_attempts'), number: true, cell: (row) => row.attempts },
    { key: 'error', title: t('overview.failed_error'), cell: (row) => row.last_error },
  ];
  return html`<${Loaded} of=${found}>${(data) => html`
    <${Table} label=${t('overview.failed_which')} columns=${columns} rows=${data.jobs} keyOf=${(row) => row.event_id} />
    <${Pager} found=${data} onPage=${setPage} />
  `}<//>`;
}
