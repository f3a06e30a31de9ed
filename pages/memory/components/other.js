// Another memory that is spoken of, as the one that is in the way of a change.
import * as api from '../api.js';
import { useLoaded } from '../loading.js';
import { html } from '../preact.js';
import { linkTo, useRoute } from '../route.js';
import { t } from '../texts.js';

/**
 * What it says and its status, as a link to it, which keeps the filters of Memories; `told` where the status is told
 * beside it, `onClick` closes the dialog that would stay above it.
 */
export function Other({ id, told = false, onClick }) {
  const { view, query } = useRoute();
  const found = useLoaded(() => api.get(`items/${id}`), [id]);
  const item = found.data?.item;
  return html`<a class="breakable" href=${linkTo('memories', id, view === 'memories' ? query : {})} onClick=${onClick}>${item ? t(told ? 'toast.fact' : 'refused.other', { fact: item.fact, status: t(`status.${item.status}`) }) : id}</a>`;
}
