// How a memory is told at a glance, the same in every view.
import { formatPercent } from '../format.js';
import { chatText, whoseText } from '../names.js';
import { html } from '../preact.js';
import { t } from '../texts.js';
import { Chip } from './chip.js';

const TONES = { active: 'success', shadow: 'primary', pending: 'warning', deleted: 'error' };

/** The values a memory's columns may take, in the order people read them. */
export const TYPES = ['profile', 'preference', 'task_state', 'constraint', 'episode'];
export const STATUSES = ['active', 'shadow', 'pending', 'disabled', 'superseded', 'expired', 'deleted'];
/** Those of which nothing is edited, unless it is restored. */
export const GONE = ['deleted', 'superseded', 'expired'];
export const LEVELS = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'];
export const SCOPES = ['user', 'group', 'project', 'global'];
export const ORIGINS = ['llm_extract', 'confirmed', 'rule', 'user_explicit'];

/** When it was learnt; what a rate has let in later counts from then as created, though it was told before. */
export const learntAt = ({ created_at: created, last_confirmed_at: told }) => (told < created ? told : created);

/** Such values with their texts, as the options of a field. */
export const choices = (family, values) => values.map((value) => [value, t(`${family}.${value}`)]);

/** The chip of a status, with what it means behind it. */
export const StatusChip = ({ status }) =>
  html`<${Chip} tone=${TONES[status]} title=${t(`status_hint.${status}`)}>${t(`status.${status}`)}<//>`;

/** The name of its type; an episode that somebody asked to remember is a note, as in the chat's lists. */
export const typeText = ({ type, origin }) => t(isNote(type, origin) ? 'type.note' : `type.${type}`);
const isNote = (type, origin) => type === 'episode' && origin === 'user_explicit';

/** The same as a chip. */
export const TypeChip = ({ item }) => html`<${Chip} title=${isNote(item.type, item.origin) ? t('item.note_hint') : undefined}>${typeText(item)}<//>`;

/** Status, type, and the level, or that it is shared; `told` where the status is told beside it. */
export const ItemMarks = ({ item, told = false }) => html`
  ${!told && html`<${StatusChip} status=${item.status} />`}
  <${TypeChip} item=${item} />
  ${item.audience === 'everywhere'
    ? html`<${Chip} tone="warning" title=${t('item.shared_hint')}>${t('item.shared')}<//>`
    : html`<${Chip} title=${t('item.level_hint')}>${t(`level.${item.level}`)}<//>`}
`;

/** Whose memory it is: a person's name, a group, everybody. `names` are those of useNames; the id belongs in a title. */
export function ownerText({ scope, scope_id: id }, names) {
  if (scope === 'global') return t('scope.global');
  if (scope === 'user') return whoseText(id, names);
  const chat = chatText(id, names);
  return chat !== id ? chat : t('item.owner', { scope: t(`scope.${scope}`), id });
}

/** Of whom it speaks, where that is another than the owner, and who told it to a group; else empty. */
export function aboutText({ person, teller }) {
  if (!person) return teller ? t('item.told', { teller }) : '';
  return teller ? t('item.about_told', { person, teller }) : t('item.about', { person });
}

/** A share of one, in percent, with its name. */
export const confidenceText = ({ confidence }) => t('item.confidence', { percent: formatPercent(confidence) });
