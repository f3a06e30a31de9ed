// The beginning: wait for the dashboard, then draw the page.
import { App } from './app.js';
import { followDashboard } from './context.js';
import { html, render } from './preact.js';

await followDashboard();
const page = document.getElementById('page');
page.replaceChildren();
render(html`<${App} />`, page);
