// Turning the pages of a list that the server cuts.
import { html, useEffect, useRef } from '../preact.js';
import { t } from '../texts.js';
import { Button } from './button.js';

/**
 * `found` is what a route answers: {total, page, page_size}. `onPage(page, {replace})` goes there; a page beyond the
 * end, such as one whose last row was just decided, is replaced by the last. `range` is the key of what it says of it.
 */
export function Pager({ found, range = 'pager.range', onPage }) {
  const here = useRef(null);
  const pages = Math.max(1, Math.ceil(found.total / found.page_size));
  const beyond = found.page > pages;
  useEffect(() => {
    if (beyond) onPage(pages, { replace: true });
  }, [beyond, pages]);
  const turn = (page) => {
    // Another page is read from its beginning.
    const list = here.current.parentElement;
    if (list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' });
    onPage(page, { replace: false });
  };
  const first = Math.min(found.total, (found.page - 1) * found.page_size + 1);
  const last = Math.min(found.total, found.page * found.page_size);
  return html`<nav class="pager" ref=${here} aria-label=${t('pager.label')}>
    <span class="muted" role="status">${t(range, { first, last, total: found.total })}</span>
    ${pages > 1 &&
    html`<span class="pager-buttons">
      <${Button} kind="text" disabled=${found.page <= 1} onClick=${() => turn(1)}>${t('pager.first')}<//>
      <${Button} kind="text" disabled=${found.page <= 1} onClick=${() => turn(found.page - 1)}>${t('pager.previous')}<//>
      <span>${t('pager.page', { page: found.page, pages })}</span>
      <${Button} kind="text" disabled=${found.page >= pages} onClick=${() => turn(found.page + 1)}>${t('pager.next')}<//>
      <${Button} kind="text" disabled=${found.page >= pages} onClick=${() => turn(pages)}>${t('pager.last')}<//>
    </span>`}
  </nav>`;
}
