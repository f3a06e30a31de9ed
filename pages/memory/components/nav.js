// The views, as links: the address decides which one is shown.
import { refreshAll } from '../health.js';
import { html, useEffect, useRef } from '../preact.js';
import { linkTo } from '../route.js';
import { t } from '../texts.js';
import { Badge } from './chip.js';

export function Nav({ views, current, waiting }) {
  const here = useRef(null);
  useEffect(() => {
    here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return html`<nav class="nav" aria-label=${t('nav.label')}>
    ${views.map(
      (view) => html`<a
        key=${view}
        class=${view === 'review' ? 'nav-link nav-link-counted' : 'nav-link'}
        href=${linkTo(view)}
        onClick=${view === current ? refreshAll : undefined}
        aria-current=${view === current ? 'page' : undefined}
        ref=${view === current ? here : undefined}
        >${t(`nav.${view}`)}${view === 'review' && html`<${Badge} count=${waiting} label=${t('nav.waiting', { count: waiting })} />`}</a
      >`,
    )}
  </nav>`;
}
