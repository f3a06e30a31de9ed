// At a glance: what the bot knows, how it is doing, what waits for somebody.
import * as api from '../api.js';
import { Section } from '../components/section.js';
import { Loaded, Loading } from '../components/states.js';
import { refreshAll } from '../health.js';
import { useLoaded } from '../loading.js';
import { Fragment, html } from '../preact.js';
import { linkTo } from '../route.js';
import { t } from '../texts.js';
import { Charts } from './overview/charts.js';
import { FirstRun } from './overview/first_run.js';
import { Health } from './overview/health.js';
import { Numbers } from './overview/numbers.js';
import { Switches } from './overview/switches.js';
import { Person } from './people.js';
import { SnapshotOffer } from './transfer/offer.js';

const SPEAKERS = 3;
/** Those who are paused stand before who spoke last. */
const ASKED = 100;

/** Who spoke last, so that one who is to be stopped is at hand. */
function Speakers() {
  const found = useLoaded(async () => latest((await api.get('people', { page_size: ASKED })).people), []);
  if (!found.data?.length) return null;
  return html`<${Section} title=${t('overview.speakers')} actions=${html`<a href=${linkTo('people')}>${t('overview.everybody')}</a>`}>
    <ul class="memories">${found.data.map((each) => html`<${Person} key=${each.account} brief person=${each} onChanged=${refreshAll} />`)}</ul>
  <//>`;
}

const latest = (people) =>
  people.filter(({ last_seen: at }) => at).sort((one, other) => Date.parse(other.last_seen) - Date.parse(one.last_seen)).slice(0, SPEAKERS);

export function Overview({ health }) {
  const stats = useLoaded(() => api.get('stats', { page_size: 1 }), []);
  if (!health) return html`<${Loading} />`;
  const running = health.state === 'running' && health.mode !== undefined;
  return html`<${Fragment}>
    <${SnapshotOffer} onRestored=${stats.reload} />
    ${running && html`<${FirstRun} health=${health} />`}
    <${Section} title=${t('overview.health')}><${Health} health=${health} /><//>
    ${running && html`<${Numbers} health=${health} />`}
    ${running && html`<${Section} title=${t('overview.switches')}><${Switches} health=${health} /><//>`}
    ${running && html`<${Speakers} />`}
    ${running &&
    html`<${Section} title=${t('overview.charts')}>
      <${Loaded} of=${stats}>${(data) => html`<${Charts} stats=${data} cap=${health.token_cap ?? null} />`}<//>
    <//>`}
  <//>`;
}
