// People: who is known, where they speak, and stopping or erasing what is kept of them.
import * as api from '../api.js';
import { Button } from '../components/button.js';
import { Chip } from '../components/chip.js';
import { confirm } from '../components/dialog.js';
import { Filters } from '../components/filters.js';
import { Pager } from '../components/pager.js';
import { Empty, Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { toast, toastError } from '../components/toast.js';
import { refreshAll } from '../health.js';
import { useJustChanged, useLoaded } from '../loading.js';
import { chatText } from '../names.js';
import { html, useRef, useState } from '../preact.js';
import { goTo, linkTo } from '../route.js';
import { hasText, t } from '../texts.js';

const PAGE_SIZE = 50;

export function People({ route: { query } }) {
  const found = useLoaded(() => api.get('people', { ...query, page_size: PAGE_SIZE }), [JSON.stringify(query)]);
  const steady = useSteady(JSON.stringify(query));
  const filter = (values, { typed }) => goTo('people', null, { ...values, page: undefined }, { replace: typed });
  return html`
    <p class="muted">${t('people.explained')}</p>
    <${Filters} fields=${[{ name: 'q', label: t('people.search'), kind: 'search', always: true, focused: true }]} values=${query} onChange=${filter} />
    <${Loaded} of=${found}>${(page) =>
      page.total === 0
        ? html`<${Empty} title=${t(query.q ? 'people.none_found' : 'people.none')} hint=${!query.q && t('people.none_hint')} />`
        : html`
            <ul class="memories" aria-label=${t('people.list')}>
              ${steady(page.people).map((person) => html`<${Person} key=${person.account} person=${person} onChanged=${refreshAll} />`)}
            </ul>
            <${Pager} found=${page} range="people.range" onPage=${(number, how) => goTo('people', null, { ...query, page: number }, how)} />
          `}<//>
  `;
}

/** People in the order in which they were first shown for this query: nobody moves under the pointer when paused. */
function useSteady(query) {
  const shown = useRef({});
  return (people) => {
    const before = shown.current.query === query ? shown.current.accounts : [];
    const place = ({ account }) => (before.includes(account) ? before.indexOf(account) : before.length);
    const rows = [...people].sort((one, other) => place(one) - place(other));
    shown.current = { query, accounts: rows.map(({ account }) => account) };
    return rows;
  };
}

/** One person; `brief` without what cannot be undone, nor the chats. */
export function Person({ person, brief = false, onChanged }) {
  const [busy, setBusy] = useState('');
  const { account, name, paused, chats } = person;
  const pausedBy = person.paused_by_operator ? 'admin' : 'own';
  const resting = useJustChanged(paused);
  const run = async (what, action) => {
    setBusy(what);
    try {
      await action(person, onChanged);
    } catch (error) {
      toastError(error);
    }
    setBusy('');
  };
  const button = (what, action, kind) => html`<${Button} kind=${kind} busy=${busy === what} disabled=${busy !== '' || resting}
    title=${hasText(`people.${what}_hint`) ? t(`people.${what}_hint`) : undefined} aria-label=${t(`people.${what}_whom`, { name: name || account })} onClick=${() => run(what, action)}>${t(`people.${what}`)}<//>`;
  return html`<li class="person">
    <div>
      <div class="row">
        <strong class="breakable">${name || account}</strong>
        ${paused && html`<${Chip} tone="warning" title=${t('people.paused_hint')}>${t(`people.paused.${pausedBy}`)}<//>`}
      </div>
      <div class="memory-told muted">
        ${name && html`<code>${account}</code>`}
        <span>${person.last_seen ? html`${t('people.last_seen')} <${Time} at=${person.last_seen} />` : t('people.unheard')}</span>
        <a href=${linkTo('memories', null, { scope: 'user', scope_id: person.scope_id, status: 'live' })}>${t('people.items', { count: person.items })}</a>
        <a href=${linkTo('memories', null, { person: account })}>${t('people.all')}</a>
        <a href=${linkTo('memories', null, { author: account })}>${t('people.said')}</a>
      </div>
    </div>
    <div class="row">
      ${paused ? button('resume', resume) : button('pause', pause)}
      ${!brief && button('erase', erase, 'danger')}
    </div>
    ${!brief && chats.length > 0 && html`<${Chats} chats=${chats} names=${new Map(name ? [[account, name]] : [])} />`}
  </li>`;
}

const Chats = ({ chats, names }) => html`<details class="person-chats">
  <summary>${t('people.chats', { count: chats.length })}</summary>
  <ul>
    ${chats.map(
      ({ umo, last_seen: at }) => html`<li key=${umo}>
        <span class="breakable" title=${umo}>${chatText(umo, names)}</span>
        <code class="muted">${umo}</code>
        <span class="muted"><${Time} at=${at} /></span>
      </li>`,
    )}
  </ul>
</details>`;

const pause = (person, onChanged) => switched('pause', 'resume', person, onChanged);

/** What somebody has asked for is asked about. */
async function resume(person, onChanged) {
  const own = !person.paused_by_operator;
  const ask = { title: t('people.ask_resume', { name: person.name || person.account }), text: t('people.ask_resume_text'), agree: t('people.agree_resume') };
  if (own && !(await confirm(ask))) return;
  await switched('resume', 'pause', person, onChanged);
}

/** Taken back, what they had paused themselves is a pause of their own again, also where the page showed another state. */
async function switched(what, back, { account, name }, onChanged) {
  const turn = async (which, own) => {
    const { was_own: wasOwn } = await api.post(`people/${which}`, own ? { account, as_own: true } : { account });
    onChanged();
    return [t(`people.done.${which}`, { name: name || account }), wasOwn];
  };
  const [message, wasOwn] = await turn(what);
  toast({ message, undo: async () => (await turn(wasOwn ? 'pause' : back, wasOwn))[0] });
}

/** For good, so the account has to be typed. */
async function erase({ account, name, items }, onChanged) {
  const agreed = await confirm({
    title: t('people.ask_erase', { name: name || account }),
    text: t('people.ask_erase_text', { count: items }),
    agree: t('people.agree_erase'),
    typed: account,
    danger: true,
  });
  if (!agreed) return;
  const erased = await api.post('people/erase', { account, confirm: true });
  onChanged();
  toast({ message: t('people.done.erase', { items: erased.items, events: erased.events }) });
}
