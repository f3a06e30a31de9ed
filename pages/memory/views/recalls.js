// The log of real recalls: what each request was given, what not and why.
import * as api from '../api.js';
import { Dialog } from '../components/dialog.js';
import { CheckField } from '../components/field.js';
import { Filters } from '../components/filters.js';
import { Chip } from '../components/chip.js';
import { ownerText } from '../components/item.js';
import { Pager } from '../components/pager.js';
import { PersonField, usePerson } from '../components/person.js';
import { Section } from '../components/section.js';
import { Empty, Loaded } from '../components/states.js';
import { Table } from '../components/table.js';
import { Time } from '../components/time.js';
import { useLoaded } from '../loading.js';
import { accountOf, chatText, refreshNames, useNames } from '../names.js';
import { html, useEffect } from '../preact.js';
import { goTo, linkTo } from '../route.js';
import { hasText, t } from '../texts.js';
import { Outcome, noneText } from './recall/outcome.js';

export function Recalls({ route: { id, query }, health }) {
  const [person, setPerson] = usePerson(query.account);
  const scope = scopeOf(query.account, person);
  const { account, ...others } = query;
  const found = useLoaded(
    // Whose log it is, is known once the person is.
    async () => (scope === undefined ? null : api.get('recalls', { ...others, scope_id: scope })),
    [scope, JSON.stringify(others)],
  );
  const names = useNames();
  useEffect(() => {
    refreshNames();
  }, []);
  const show = (change, how) => goTo('recalls', null, { ...query, page: undefined, ...change }, how);
  const choose = (chosen) => {
    setPerson(chosen);
    show({ account: chosen?.account });
  };
  return html`<${Section} title=${t('recalls.title')} hint=${t('recalls.hint')}>
    <div class="filters" role="search" aria-label=${t('filters.label')}>
      <div class="filter filter-always filter-wide"><${PersonField} label=${t('recalls.person')} value=${person} onValue=${choose} /></div>
      <div class="filter filter-always filter-wide"><${CheckField} label=${t('recalls.only_empty')} checked=${query.empty === 'true'}
        onValue=${(empty) => show({ empty: empty ? 'true' : undefined })} /></div>
    </div>
    <${Filters} fields=${fields()} values=${query} onChange=${(values, { typed }) => show({ ...values, page: undefined }, { replace: typed })} />
    <${Loaded} of=${found}>${(data) => html`<${List} found=${data} query=${query} names=${names} filtered=${Boolean(account || query.empty || query.q || query.since || query.until)}
      logged=${health?.recall_log ?? true} onPage=${(page, how) => show({ page }, how)} />`}<//>
    ${id !== null && html`<${Opened} key=${id} id=${id} names=${names} onClose=${() => goTo('recalls', null, query)} />`}
  <//>`;
}

const fields = () => [
  { name: 'q', label: t('recalls.words'), kind: 'search', always: true },
  { name: 'since', label: t('recalls.since'), kind: 'date', always: true },
  { name: 'until', label: t('recalls.until'), kind: 'date', always: true },
];

/** In place of how many memories were included: why none was. What found nothing is a warning, what was switched off none. */
function Nothing({ reason, left_out: left }) {
  // What such a recall left out is in no use.
  const none = reason === 'nothing_remembered' && left > 0 ? 'none_in_use' : reason;
  const key = `recalls.none_of.${none}`;
  const off = reason === 'paused' || reason === 'reading_off';
  return html`<${Chip} tone=${off ? 'neutral' : 'warning'} title=${noneText(reason, left, true)}>${hasText(key) ? t(key) : t('recalls.empty')}<//>`;
}

/** Why there are no words of a message. */
const noWords = ({ reason }) => t(reason === 'paused' ? 'recalls.paused_words' : 'recalls.no_words');

/** Everybody's is ''; undefined while the person is looked for. One who is not known any more goes by the account. */
function scopeOf(account, person) {
  if (!account) return '';
  return person === undefined ? undefined : (person?.scope_id ?? account);
}

function List({ found, query, names, filtered, logged, onPage }) {
  if (found.total === 0) {
    if (filtered) return html`<${Empty} title=${t('recalls.none_filtered')} />`;
    return html`<${Empty} title=${t('recalls.none')} hint=${t(logged ? 'recalls.none_hint' : 'recalls.off_hint')} />`;
  }
  // An opened recall tells the details.
  const columns = [
    { key: 'at', title: t('recalls.at'), cell: (row) => html`<${Time} at=${row.at} exact="brief" />` },
    {
      key: 'query',
      title: t('recalls.query'),
      lead: true,
      cell: (row) => html`<a class="breakable" href=${linkTo('recalls', row.recall_id, query)}>${row.query || noWords(row)}</a>`,
    },
    { key: 'who', title: t('recalls.person'), cell: (row) => html`<span class="breakable" title=${row.scope_id}>${ownerText(row, names)}</span>` },
    { key: 'umo', title: t('recalls.chat'), cell: (row) => html`<span class="breakable" title=${row.umo}>${chatText(row.umo, names)}</span>` },
    { key: 'level', title: t('recalls.level'), detail: true, cell: (row) => t(`level.${row.level}`) },
    {
      key: 'given',
      title: t('recalls.given'),
      number: true,
      cell: (row) => (row.given === 0 ? html`<${Nothing} ...${row} />` : row.given),
    },
    { key: 'left', title: t('recalls.left_out'), number: true, cell: (row) => row.left_out },
  ];
  return html`<${Table} label=${t('recalls.title')} columns=${columns} rows=${found.recalls} keyOf=${(row) => row.recall_id} />
    <${Pager} found=${found} onPage=${onPage} />`;
}

function Opened({ id, names, onClose }) {
  const found = useLoaded(() => api.get(`recalls/${id}`), [id]);
  return html`<${Dialog} side title=${t('recalls.one')} onClose=${onClose}>
    <${Loaded} of=${found}>${({ recall, reply, ...rest }) => html`
      <figure class="quote"><blockquote>${recall.query || html`<em class="muted">${noWords(recall)}</em>`}</blockquote>
        <figcaption class="muted"><span class="breakable" title=${recall.scope_id}>${ownerText(recall, names)}</span><${Time} at=${recall.at} exact /><span class="breakable" title=${recall.umo}>${chatText(recall.umo, names)}</span><span>${t(`level.${recall.level}`)}</span></figcaption>
      </figure>
      <figure class="quote"><blockquote class="keep-lines">${reply || html`<em class="muted">${t('recalls.no_reply')}</em>`}</blockquote>
        <figcaption class="muted">${t('recalls.reply')}</figcaption>
      </figure>
      <${Outcome} outcome=${{ ...rest, reason: recall.reason, vectors: recall.vectors, scope_id: recall.scope_id, owner: ownerText(recall, names), account: personOf(recall), said: recall.query, asked: askedBy(recall), past: true }} />
    `}<//>
  <//>`;
}

/**
 * Whose request it was and where; null when nobody knows. The scope of joined accounts is that of one of them, which
 * may be of another platform than the chat. Personas have scopes of their own.
 */
function askedBy({ recall_id: recall, scope, scope_id: id, umo, level }) {
  const owner = scope === 'user' ? id.replace(/^!p[^:]*:/, '') : '';
  const account = accountOf(umo) ?? (owner.split(':')[0] === umo.split(':')[0] ? owner : '');
  return account ? { account, umo, level, recall_id: recall } : null;
}

/** The account whose memories these are; undefined of a project and of a persona, whose memories are some of a person's. */
const personOf = ({ scope, scope_id: id }) => (scope === 'user' && !id.startsWith('!p') ? id : undefined);
