// The frame of the page: its views, what must be known at the top, and what floats above.
import { Banner } from './components/banner.js';
import { ConfirmHost } from './components/dialog.js';
import { Nav } from './components/nav.js';
import { Toasts, drop } from './components/toast.js';
import { useLanguage } from './context.js';
import { refreshHealth, useHealth, useRecentHealth } from './health.js';
import { html, useEffect } from './preact.js';
import { useRoute } from './route.js';
import { t } from './texts.js';
import { Audit } from './views/audit.js';
import { Memories } from './views/memories.js';
import { Overview } from './views/overview.js';
import { People } from './views/people.js';
import { Policy } from './views/policy.js';
import { Recalls } from './views/recalls.js';
import { Review } from './views/review.js';
import { Transfer } from './views/transfer.js';
import { TryOut } from './views/tryout.js';

/** The views by their place in the address, in the order of the navigation. */
const VIEWS = {
  overview: Overview,
  memories: Memories,
  review: Review,
  people: People,
  tryout: TryOut,
  recalls: Recalls,
  policy: Policy,
  transfer: Transfer,
  audit: Audit,
};

export function App() {
  const language = useLanguage();
  const health = useHealth();
  useRecentHealth();
  const route = useRoute();
  const name = Object.hasOwn(VIEWS, route.view) ? route.view : 'overview';
  useEffect(() => {
    refreshHealth();
    return () => drop(({ tone }) => tone !== 'error');
  }, [name]);
  useEffect(() => {
    document.title = `${t(`nav.${name}`)} - ${t('page.title')}`;
  }, [name, language]);
  // A change of language draws everything anew: each text is looked up while it is drawn.
  return html`<div class="shell" key=${language}>
    <${Nav} views=${Object.keys(VIEWS)} current=${name} waiting=${health?.waiting ?? 0} />
    <main class="main" aria-label=${t(`nav.${name}`)}>
      <${Banner} health=${health} />
      <${VIEWS[name]} key=${name} route=${route} health=${health} />
    </main>
    <${ConfirmHost} />
    <${Toasts} />
  </div>`;
}
