// At a glance: what the bot knows, how it is doing, what waits for somebody.
import * as api from '../api.js';
import { Section } from '../components/section.js';
import { Loaded, Loading } from '../components/states.js';
import { useLoaded } from '../loading.js';
import { Fragment, html } from '../preact.js';
import { t } from '../texts.js';
import { Charts } from './overview/charts.js';
import { FirstRun } from './overview/first_run.js';
import { Health } from './overview/health.js';
import { Numbers } from './overview/numbers.js';
import { Switches } from './overview/switches.js';
import { SnapshotOffer } from './transfer/offer.js';

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
    ${running &&
    html`<${Section} title=${t('overview.charts')}>
      <${Loaded} of=${stats}>${(data) => html`<${Charts} stats=${data} cap=${health.token_cap ?? null} />`}<//>
    <//>`}
  <//>`;
}
