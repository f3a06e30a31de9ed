// What people are called, by the account or the scope their memories are kept under.
import * as api from './api.js';
import { createStore, useStore } from './store.js';
import { t } from './texts.js';

const MOST = 200;
const names = createStore(new Map());

/** The names of those who spoke last; an account that is not among them goes by its id. */
export const useNames = () => useStore(names);

/** A chat in words: with whom in private, or which group; `names` are those of useNames. */
export function chatText(umo, names) {
  const [, platform, kind, session] = /^([^:]*):(Friend|Group)Message:(.*)$/s.exec(umo) ?? [];
  if (session === undefined) return umo;
  if (kind === 'Group') return t('chat.group', { id: session, platform });
  return t('chat.private', { name: names.get(`${platform}:${session}`) ?? session, platform });
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
