// One memory: the words it rests on, who may see it, what became of it, and what can be done about it.
import * as api from '../api.js';
import { whoDid } from '../components/actor.js';
import { actionText, changeText, whyText, withUndone } from '../components/audit_line.js';
import { Beside, Reworded } from '../components/beside.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { GONE, ItemMarks, aboutText, learntAt, ownerText } from '../components/item.js';
import { Quote } from '../components/quote.js';
import { Loaded } from '../components/states.js';
import { Time } from '../components/time.js';
import { reasonHint, reasonText } from '../errors.js';
import { formatInstant, formatPercent } from '../format.js';
import { useHealth } from '../health.js';
import { useJustChanged, useLoaded } from '../loading.js';
import { chatText, chatsTogether } from '../names.js';
import { html, useState } from '../preact.js';
import { linkTo } from '../route.js';
import { gap, t } from '../texts.js';
import { EditMemory } from './memory_edit.js';
import { actionsOn } from './memory_actions.js';

/** The drawer of a memory; `onChanged` is called after each change and asks for it anew, `query` is kept in the links to others. */
export function Memory({ id, names, query, onChanged, onClose }) {
  const found = useLoaded(() => api.get(`items/${id}`), [id]);
  const [editing, setEditing] = useState(false);
  const item = found.data?.item;
  return html`<${Dialog} side title=${item?.fact ?? t('memory.title')} onClose=${onClose}
    actions=${item && html`<${Actions} item=${item} onEdit=${() => setEditing(true)} onChanged=${onChanged} />`}>
    <${Loaded} of=${found}>${(all) => html`<${Explained} all=${all} names=${names} query=${query} />`}<//>
    ${editing &&
    html`<${EditMemory} item=${item} evidence=${found.data.evidence} onClose=${() => setEditing(false)} onSaved=${() => {
      setEditing(false);
      onChanged();
    }} onUndone=${onChanged} />`}
  <//>`;
}

function Actions({ item, onEdit, onChanged }) {
  const [busy, setBusy] = useState('');
  const resting = useJustChanged(`${item.status} ${item.audience}`);
  const held = useHealth()?.read_only ? t('banner.read_only') : undefined;
  const run = async (action) => {
    setBusy(action.name);
    await action.run();
    setBusy('');
  };
  return html`
    ${!GONE.includes(item.status) && html`<${Button} disabled=${held} title=${held} onClick=${onEdit}>${t('memory.edit')}<//>`}
    ${actionsOn(item, onChanged).map(
      (action) => html`<${Button} key=${action.name} kind=${action.danger ? 'danger' : 'tonal'} busy=${busy === action.name}
        disabled=${busy !== '' || resting || held} title=${held} onClick=${() => run(action)}>${t(`memory.action.${action.name}`)}<//>`,
    )}
  `;
}

function Explained({ all, names, query }) {
  const { item, evidence, older, audience, audit, reworded_at: rewordedAt } = all;
  const importedAt = audit.find(({ action }) => action === 'import')?.at;
  return html`
    <div class="row"><${ItemMarks} item=${item} /></div>
    ${item.status !== 'active' && html`<${NotUsed} item=${item} audit=${audit} names=${names} query=${query} />`}
    <${Beside} all=${all} link=${(other) => linkTo('memories', other, query)} />
    <${Section} title=${t('memory.evidence')}>
      ${evidence.length === 0 && html`<p class="muted">${t('memory.no_evidence')}</p>`}
      <${Reworded} all=${all} />
      ${evidence.map((one) => html`<${Quote} key=${one.evidence_id} evidence=${one} names=${names} />`)}
    <//>
    ${!GONE.includes(item.status) &&
    html`<${Section} title=${t('memory.audience')}><${Audience} audience=${audience} item=${item} names=${names} /><//>`}
    <${Section} title=${t('memory.details')}><${Details} item=${item} names=${names} reworded=${rewordedAt} imported=${importedAt} /><//>
    ${older.length > 0 &&
    html`<${Section} title=${t('memory.older')}>
      <ul class="stacked">${older.map((one, at) => html`<${Older} key=${one.memory_id} item=${one} since=${heldSince(one, older.slice(at + 1))} query=${query} />`)}</ul>
    <//>`}
    ${audit.length > 0 &&
    html`<${Section} title=${t('memory.audit')}>
      <ul class="stacked">${withUndone(audit).map((entry, at) => html`<${Entry} key=${entry.id} entry=${entry} older=${audit.slice(at + 1)} names=${names} />`)}</ul>
    <//>`}
  `;
}

const Section = ({ title, children }) => html`<section class="stacked section"><h3>${title}</h3>${children}</section>`;

/** Why it is not put into replies, and what took its place. */
function NotUsed({ item, audit, names, query }) {
  const reason = item.reason || (item.status === 'pending' ? 'mode' : '');
  // Of shadow mode the hint tells already.
  const told = item.status === 'shadow' && reason === 'mode' ? '' : reason;
  const forgot = told === 'forgotten' && audit.find(({ action }) => action === 'forget')?.actor;
  const [hint, why] = [t(`status_hint.${item.status}`), forgot ? t('memory.forgotten_by', { actor: whoDid(forgot, names) }) : told && reasonText(told, item.status)];
  return html`<div class="note">
    <p>${hint}</p>
    ${why && why !== hint && html`<p>${t('memory.reason', { reason: why })}${gap()}${reasonHint(told)}</p>`}
    ${item.superseded_by && html`<p><a href=${linkTo('memories', item.superseded_by, query)}>${t('memory.newer')}</a></p>`}
  </div>`;
}

/** Who may see it, in plain words. */
function Audience({ audience, item, names }) {
  const who = ownerText(item, names);
  const shared = item.audience === 'everywhere';
  const level = t(`level.${audience.level}`);
  const groups = audience.chats.filter((umo) => umo.split(':')[1] !== 'FriendMessage');
  const alone = audience.scope === 'user' && groups.length === 0;
  // The private chats are told before the list of the others.
  const chats = audience.scope === 'user' && !shared && !alone ? groups : audience.chats;
  return html`
    ${item.status !== 'active' && html`<p>${t('audience.once_in_use')}</p>`}
    <p class="breakable">${shared ? t('audience.everywhere', { who }) : t(`audience.${alone ? 'own' : audience.scope}`, { who })}</p>
    ${!shared && audience.level !== 'PUBLIC' && html`<p>${t('audience.level', { level })}</p>`}
    ${chats.length > 0 &&
    html`<p>${t('audience.chats')}</p>
      <ul>${chatsTogether(chats, names).map(
        ([words, umos]) => html`<li key=${words} class="breakable" title=${umos.join('\n')}>${umos.length === 1 ? words : t('chat.several', { chat: words, count: umos.length })}</li>`,
      )}</ul>`}
  `;
}

function Details({ item, names, reworded, imported }) {
  const earlier = (text) => (reworded ? t('memory.of_earlier', { text }) : text);
  const elsewhere = (text) => (imported ? t('memory.elsewhere', { text }) : text);
  const rows = [
    ['whose', html`<span title=${item.scope_id}>${ownerText(item, names)}</span>`],
    ['about', aboutText(item)],
    ['relationship', item.relationship],
    ['backstory', item.backstory],
    ['imported', imported && html`<${Time} at=${imported} exact />`],
    ['origin', elsewhere(reworded ? t('memory.by_operator', { origin: t(`origin.${item.origin}`) }) : t(`origin.${item.origin}`))],
    ['said_in', item.origin_umo && html`<span title=${item.origin_umo}>${chatText(item.origin_umo, names)}</span>`],
    ['confidence', earlier(formatPercent(item.confidence))],
    ['importance', formatPercent(item.importance)],
    ['tags', item.tags.join(', ')],
    ['created', html`<${Time} at=${learntAt(item)} exact />`],
    ['confirmed', html`<${Time} at=${item.last_confirmed_at} exact />`],
    ['used', used(item, imported)],
    ['expires', item.expires_at ? html`<${Time} at=${item.expires_at} exact />` : t('memory.never')],
    ['persona', item.persona_id],
    ['id', html`<code>${item.memory_id}</code>`],
  ];
  return html`<dl class="details">
    ${rows
      .filter(([, value]) => value)
      .map(([name, value]) => html`<div key=${name}><dt>${t(`memory.detail.${name}`)}</dt><dd class="breakable">${value}</dd></div>`)}
  </dl>`;
}

/** What it was used before it was imported is told apart, as far as that is known. */
function used({ access_count: count, last_accessed_at: at }, imported) {
  if (!count) return t('memory.never_used');
  if (imported && Date.parse(at) <= Date.parse(imported)) return t('memory.used_elsewhere', { count });
  const told = html`${t('memory.used', { count })} <${Time} at=${at} />`;
  return imported ? html`${told}${gap()}${t('memory.used_before')}` : told;
}

/** From when it was said so: a wording from the end of the one before, which is among the `others`. */
const heldSince = ({ reason, superseded_by: by, created_at: at }, others) =>
  (reason === 'edited' && others.find((one) => one.reason === 'edited' && one.superseded_by === by)?.updated_at) || at;

const Older = ({ item, since, query }) => html`<li>
  <a class="breakable" href=${linkTo('memories', item.memory_id, query)}>${item.fact}</a>
  <div class="muted row">
    <span>${t(`status.${item.status}`)}</span>
    <span>${t('memory.held', { since: formatInstant(since), until: formatInstant(item.updated_at) })}</span>
  </div>
</li>`;

function Entry({ entry, older, names }) {
  const [was, fact] = [older[0]?.fact, entry.fact];
  const text = was && fact && was !== fact && t('bulk.changed', { field: t('bulk.changed.fact'), from: was, to: fact });
  const told = [t('memory.by', { actor: whoDid(entry.actor, names) }), text, changeText(entry, names), whyText(entry, names)];
  return html`<li>
    <div class="row"><strong>${actionText(entry)}</strong><${Time} at=${entry.at} exact /></div>
    <div class="muted breakable">${told.filter(Boolean).join(' · ')}</div>
  </li>`;
}
