// What people are called, by the account or the scope their memories are kept under.
import * as api from './api.js';
import { formatInstant } from './format.js';
import { createStore, useStore } from './store.js';
import { t } from './texts.js';

const MOST = 200;
const names = createStore(new Map());

/** The names of those who spoke last; an account that is not among them goes by its id. */
export const useNames = () => useStore(names);

/** The account that a private chat is with; undefined of any other chat. */
export function accountOf(umo) {
  const [, platform, session] = /^([^:]*):FriendMessage:(.*)$/s.exec(umo) ?? [];
  if (session === undefined) return undefined;
  // Of a chat in the dashboard the session is `webchat!account!conversation`.
  return `${platform}:${/^webchat!(.+)![^!]*$/s.exec(session)?.[1] ?? session}`;
}

/** Whose account or scope it is: by the name, else by the id and the platform, a group as a chat. */
export function whoseText(id, names) {
  const account = accountOf(id) ?? id;
  const [, platform, sender] = /^(?!!p)([^:]+):(?!GroupMessage:)(.+)$/s.exec(account) ?? [];
  return names.get(id) ?? names.get(account) ?? (sender ? t('account.on', { id: sender, platform }) : chatText(id, names));
}

/** A chat in words: with whom in private, or which group; `names` are those of useNames. */
export function chatText(umo, names) {
  const [, platform, kind, session] = /^([^:]*):(Friend|Group)Message:(.*)$/s.exec(umo) ?? [];
  if (session === undefined) return umo;
  if (kind === 'Group') return t('chat.group', { id: session, platform });
  const account = accountOf(umo);
  return t('chat.private', { name: names.get(account) ?? account.slice(platform.length + 1), platform });
}

/** A snapshot's file by the time of the snapshot; any other name as it is. */
export function fileText(name) {
  const [, day, hour, minute, second] = /^(\d{8})T(\d\d)(\d\d)(\d\d)\d{6}Z(?:-[0-9a-f]{16}){1,2}\.json\.gz$/.exec(name) ?? [];
  if (day === undefined) return name;
  const at = `${day.replace(/^(....)(..)/, '$1-$2-')}T${hour}:${minute}:${second}Z`;
  return t('imports.snapshot_of', { at: formatInstant(at) });
}

/** [words, origins] of these chats: those of the same words, such as one person's in the dashboard, together. */
export function chatsTogether(umos, names) {
  const together = new Map();
  for (const umo of umos) {
    const words = chatText(umo, names);
    together.set(words, [...(together.get(words) ?? []), umo]);
  }
  return [...together];
}

/** Ask for them; without an answer everybody goes by the id. */
export async function refreshNames() {
  try {
    const { people } = await api.get('people', { page_size: MOST });
    const named = people.filter(({ name }) => name);
    names.set(new Map(named.flatMap(({ account, scope_id: id, name }) => [[account, name], [id, name]])));
  } catch {
    names.set((before) => before);
  }
}
