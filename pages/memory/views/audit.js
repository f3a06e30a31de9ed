// Who did what.
import * as api from '../api.js';
import { Actor, whoDid } from '../components/actor.js';
import { actionText, changeText, labelsOf, manyText, successorOf, whyText, withUndone } from '../components/audit_line.js';
import { Filters } from '../components/filters.js';
import { Pager } from '../components/pager.js';
import { Section } from '../components/section.js';
import { Empty, Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { formatBrief } from '../format.js';
import { useLoaded } from '../loading.js';
import { fileText, refreshNames, useNames, whoseText } from '../names.js';
import { html, useEffect } from '../preact.js';
import { goTo, linkTo } from '../route.js';
import { hasText, t } from '../texts.js';

const PAGE_SIZE = 100;
/** As many memories of one action make one line. */
const MANY = 3;
/** So many of them are named in it. */
const NAMED = 2;

/** What the plugin writes down; another word is shown as it is. */
const ACTIONS = [
  'add', 'confirm', 'revive', 'supersede', 'refuse', 'evict', 'expire', 'purge', 'join',
  'approve', 'keep', 'release', 'reject', 'undo', 'edit', 'disable', 'restore', 'forget', 'retract', 'forget_all',
  'erase', 'share', 'unshare', 'pause', 'resume', 'link', 'unlink', 'policy', 'readonly', 'readwrite', 'retry',
  'read_now', 'review_notice', 'import', 'undo_import', 'snapshot',
];

export function Audit({ route: { query } }) {
  const { page, ...filters } = query;
  const names = useNames();
  useEffect(() => {
    refreshNames();
  }, []);
  const found = useLoaded(() => load(filters, page), [JSON.stringify(query)]);
  // One whom a link names may be none of the latest.
  const actors = [...new Set([...(found.data?.actors ?? []), ...(query.actor ? [query.actor] : [])])];
  const owners = [...new Set([...names.keys(), ...(query.scope_id ? [query.scope_id] : [])])];
  const show = (values, { typed } = {}) => goTo('audit', null, { ...values, page: undefined }, { replace: typed });
  const fields = [
    { name: 'actor', label: t('audit.actor'), options: actors.map((each) => [each, whoDid(each, names)]), always: true },
    { name: 'action', label: t('audit.action'), options: ACTIONS.map((each) => [each, filterText(each)]) },
    { name: 'scope_id', label: t('audit.owner'), options: owners.map((each) => [each, whoseText(each, names)]) },
    { name: 'memory_id', label: t('audit.memory'), kind: 'text', placeholder: t('audit.memory_example') },
    { name: 'since', label: t('audit.since'), kind: 'date' },
    { name: 'until', label: t('audit.until'), kind: 'date' },
  ];
  return html`<${Section} title=${t('audit.title')} hint=${t('audit.hint')}>
    <${Filters} fields=${fields} values=${filters} onChange=${show} />
    <${Loaded} of=${found}>${(data) =>
      data.total === 0
        ? Object.values(filters).some(Boolean)
          ? html`<${Empty} title=${t('audit.none_filtered')} />`
          : html`<${Empty} title=${t('audit.none')} hint=${t('audit.none_hint')} />`
        : html`<${List} found=${data} onPage=${(next, how) => goTo('audit', null, { ...filters, page: next }, how)} />`}<//>
  <//>`;
}

/** An action as the filter names it: with all that its lines are called. */
const filterText = (action) => (hasText(`audit_filter.${action}`) ? t(`audit_filter.${action}`) : actionText({ action }));

/** A page, and the lines `before` and `behind` it, if there are any: one action may go on over its edges. */
async function load(filters, page) {
  const found = await api.get('audit', { ...filters, page, page_size: PAGE_SIZE });
  const line = async (at) => (at < 1 || at > found.total ? undefined : (await api.get('audit', { ...filters, page: at, page_size: 1 })).audit[0]);
  const first = (found.page - 1) * PAGE_SIZE;
  // Where some lines are filtered out, the others may tell of another undo.
  const audit = filters.action || filters.actor ? found.audit : withUndone(found.audit);
  return { ...found, audit, before: await line(first), behind: await line(first + PAGE_SIZE + 1) };
}

function List({ found, onPage }) {
  const facts = found.facts ?? {};
  const imports = found.audit.filter(({ action, memory_id: id, before }) => action === 'import' && !id && before);
  const files = new Map(imports.map(({ after, before }) => [after, before]));
  return html`
    <ul class="memories" aria-label=${t('audit.title')}>${together(found.audit).map(([first, ...others]) =>
      first.memory_id && others.length > 0
        ? html`<${Lines} key=${first.id} lines=${[first, ...others]} facts=${facts} page=${found} />`
        : html`<${Line} key=${first.id} line=${first} facts=${facts} file=${first.memory_id ? '' : files.get(importOf(first))}>
            ${others.length > 0 && html`<ul>${others.map((line) => html`<${Line} key=${line.id} line=${line} facts=${facts} />`)}</ul>`}
          <//>`,
    )}</ul>
    <${Pager} found=${found} range="audit.range" onPage=${onPage} />
  `;
}

/** The import that a line tells of, as a whole or of one of its memories; empty where it tells of none. */
function importOf({ action, memory_id: one, before, after, reason }) {
  if (action !== 'import' && action !== 'undo_import') return '';
  if (one) return reason;
  return action === 'import' ? after : before;
}

/**
 * The lines in lists: those that follow each other with one action on many memories, by one actor in one minute, in one;
 * those of the memories of an import with the line of the import itself, which comes first.
 */
function together(lines) {
  const groups = [];
  const imports = new Map();
  for (const line of lines) {
    const key = keyOf(line);
    const last = groups.at(-1);
    const part = importOf(line) && `${line.action} ${importOf(line)}`;
    if (line.memory_id && imports.has(part)) imports.get(part).lines.push(line);
    else if (key && last?.key === key) last.lines.push(line);
    else {
      const group = { key, lines: [line] };
      groups.push(group);
      if (part && !line.memory_id) imports.set(part, group);
    }
  }
  const few = ({ key, lines }) => key && memoriesOf(lines).length < MANY;
  return groups.flatMap((group) => (few(group) ? group.lines.map((line) => [line]) : [group.lines]));
}

/** What the lines of one action on many memories have in common; empty of a line about none. */
const keyOf = (line) => line?.memory_id && [line.action, line.actor, line.at.slice(0, 16)].join(' ');

/** How many memories, and that there are more of them beyond the edges of this page. */
function countedText(lines, { audit, before, behind }) {
  const [begun, goesOn] = [lines[0] === audit[0] && keyOf(before), lines.at(-1) === audit.at(-1) && keyOf(behind)].map((key) => key === keyOf(lines[0]));
  const what = manyText(lines[0], memoriesOf(lines).length);
  if (!begun && !goesOn) return what;
  return t(begun && goesOn ? 'audit.on_both' : begun ? 'audit.begun' : 'audit.goes_on', { what });
}

const memoriesOf = (lines) => [...new Set(lines.map(({ memory_id: id }) => id))];

/** Many lines in one; opened it tells each. */
function Lines({ lines, facts, page }) {
  const names = useNames();
  const [{ at, actor }] = lines;
  const ids = memoriesOf(lines);
  const told = ids.map((id) => lines.find(({ memory_id: each }) => each === id).fact ?? facts[id]).filter(Boolean).slice(0, NAMED).map((fact) => formatBrief(fact));
  return html`<li class="waiting">
    <details class="waiting-told">
      <summary class="log-line">
        <${Time} at=${at} exact />
        <strong>${countedText(lines, page)}</strong>
        <span class="waiting-fact muted">${told.length > 0 && `${told.join(' · ')} …`}</span>
        <span class="waiting-who muted">${whoDid(actor, names)}</span>
      </summary>
      <ul>${lines.map((line) => html`<${Line} key=${line.id} line=${line} facts=${facts} />`)}</ul>
    </details>
  </li>`;
}

/** One line; opened it tells all there is to it. `file` is that of an import, `children` are the lines of its memories. */
function Line({ line, facts, file, children }) {
  const names = useNames();
  const today = facts[line.memory_id];
  const fact = line.fact ?? today;
  const successor = successorOf(line);
  // What an edit replaced has a row of its own.
  const was = line.action === 'edit' ? facts[line.before] : line.undone?.reason === 'fact' && line.undone.fact;
  const [change, why] = [changeText(line, names), whyText(line, names)];
  const [changeLabel, whyLabel] = labelsOf(line);
  // What it is now, is not told of what is gone.
  const gone = line.memory_id && !fact;
  const changed = line.memory_id && line.before !== line.after ? (!gone && change) || why : why || change;
  // Why what is known already was not taken again, is told where somebody looks.
  const first = line.memory_id && line.action === 'refuse' ? '' : successor in facts ? t('audit.by_fact', { fact: formatBrief(facts[successor]) }) : was ? t('audit.was_fact', { fact: formatBrief(was) }) : changed;
  const shown = [file && fileText(file), fact || (line.memory_id && t('audit.gone')), first].filter(Boolean).join(' · ');
  const told = [
    ['audit.actor', html`<${Actor} actor=${line.actor} />`],
    [changeLabel, change],
    ['audit.was', was],
    ['audit.then', fact !== today && fact],
    [whyLabel, successor ? html`<a href=${linkTo('memories', successor)}>${successor in facts ? t('audit.by_fact', { fact: facts[successor] }) : why}</a>` : why],
    ['audit.memory', line.memory_id && html`<a href=${linkTo('memories', line.memory_id)}>${today || t('audit.gone')}</a>`],
  ];
  return html`<li class="waiting">
    <details class="waiting-told">
      <summary class="log-line">
        <${Time} at=${line.at} exact />
        <strong>${actionText(line)}</strong>
        <span class="waiting-fact muted" title=${shown}>${shown}</span>
        <span class="waiting-who muted">${whoDid(line.actor, names)}</span>
      </summary>
      <dl class="details">
        ${told.filter(([, value]) => value).map(([key, value]) => html`<div key=${key}><dt>${t(key)}</dt><dd class="breakable">${value}</dd></div>`)}
      </dl>
      ${children}
    </details>
  </li>`;
}
