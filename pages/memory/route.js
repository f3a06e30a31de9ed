// Where one is: `#view/id?filter=value`, in the frame's own address, so that back and forward work.
import { useStore, createStore } from './store.js';

const place = createStore(read());
window.addEventListener('hashchange', () => place.set(read()));

/** {view, id, query}: `id` is null where nothing is opened, `query` a plain object of texts. */
export const useRoute = () => useStore(place);

/** The address of a place, for an anchor's href. */
export function linkTo(view, id = null, query = {}) {
  const kept = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  const path = id === null ? view : `${view}/${encodeURIComponent(id)}`;
  return `#${path}${search ? `?${search}` : ''}`;
}

/** Go there; `replace` leaves no step to come back to, as for each letter of a search. */
export function goTo(view, id = null, query = {}, { replace = false } = {}) {
  const address = linkTo(view, id, query);
  if (address === window.location.hash) return;
  if (replace) window.location.replace(address);
  else window.location.hash = address;
}

function read() {
  const [path, search = ''] = window.location.hash.replace(/^#/, '').split('?', 2);
  const [view, id] = path.split('/', 2);
  return {
    view: view || 'overview',
    id: id === undefined || id === '' ? null : decoded(id),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
