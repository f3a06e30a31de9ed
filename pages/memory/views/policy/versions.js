// The policies that were in force, newest first, and the way back to one of them.
import * as api from '../../api.js';
import { Actor } from '../../components/actor.js';
import { Button } from '../../components/button.js';
import { Chip } from '../../components/chip.js';
import { Pager } from '../../components/pager.js';
import { Section } from '../../components/section.js';
import { Empty, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { useDoing } from '../../doing.js';
import { useLoaded } from '../../loading.js';
import { html, useState } from '../../preact.js';
import { t } from '../../texts.js';
import { Changes } from './changes.js';
import { FIELDS } from './settings.js';

/** `policy` is the one in force: when its version changes, they are asked for anew. */
export function Versions({ policy, readOnly, onRollBack }) {
  const { version: present } = policy;
  const [page, setPage] = useState(1);
  const found = useLoaded(() => api.get('policy/versions', { page, page_size: 20 }), [page, present]);
  // Its button is never off: it has the focus again after the question, and so its row stays where it is.
  const [, run] = useDoing();
  const columns = [
    { key: 'version', title: t('policy.version'), cell: (row) => html`<span class="row">${row.version}${row.version === present && html`<${Chip} tone="success">${t('policy.in_force')}<//>`}</span>` },
    { key: 'at', title: t('policy.at'), cell: (row) => html`<${Time} at=${row.at} exact />` },
    { key: 'actor', title: t('policy.actor'), cell: (row) => html`<${Actor} actor=${row.actor} />` },
    { key: 'changes', title: t('policy.changes'), cell: (row) => row.changes.length === 0 && row.version === 1 ? html`<span class="muted">${t('policy.first')}</span>` : html`<${Changes} changes=${row.changes} />` },
    {
      key: 'back',
      title: t('policy.back'),
      cell: (row) =>
        row.version !== present &&
        (sameSettings(row, policy) ? html`<span class="muted">${t('policy.same')}</span>` : html`<${Button} disabled=${readOnly} aria-label=${t('policy.rollback_to', { version: row.version })} onClick=${() => run(() => onRollBack(row))}>${t('policy.rollback')}<//>`),
    },
  ];
  return html`<${Section} title=${t('policy.versions')} hint=${t('policy.versions_hint')}>
    <${Loaded} of=${found}>${(data) =>
      data.total === 0
        ? html`<${Empty} title=${t('policy.no_versions')} />`
        : html`<${Table} label=${t('policy.versions')} columns=${columns} rows=${data.versions} steady keyOf=${({ version }) => version} />
            <${Pager} found=${data} onPage=${setPage} />`}<//>
  <//>`;
}

/** Whether going back to it would change nothing. */
const sameSettings = (one, other) =>
  Object.entries(FIELDS).every(([section, fields]) => fields.every(({ name }) => valueOf(one[section]?.[name]) === valueOf(other[section][name])));

/** A value to compare: several have no order. */
const valueOf = (value) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
