// What the dashboard says of itself: its language. The bridge sets the theme at <html data-theme>.
import { createStore, useStore } from './store.js';
import { setLanguage } from './texts.js';

const language = createStore('zh-CN');

/** The language in force; whoever takes it is drawn again when the dashboard's changes. */
export const useLanguage = () => useStore(language);

/** Wait for the dashboard, then follow it. */
export async function followDashboard() {
  const bridge = window.AstrBotPluginPage;
  follow(await bridge.ready());
  bridge.onContext(follow);
}

function follow(context) {
  const chosen = spoken(context?.locale ?? bridgeLocale());
  setLanguage(chosen);
  document.documentElement.lang = chosen;
  language.set(chosen);
}

const bridgeLocale = () => window.AstrBotPluginPage.getLocale();

/** Chinese of any kind is read as zh-CN, every other language as en-US. */
const spoken = (locale) => (/^zh\b/i.test(locale) ? 'zh-CN' : 'en-US');
