// Every word of the page, in the dashboard's language.
import english from './texts/en-US/index.js';
import chinese from './texts/zh-CN/index.js';

const LANGUAGES = { 'en-US': english, 'zh-CN': chinese };
/** Characters that turn the direction of whatever follows them. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

let language = 'zh-CN';

/** Use the texts, dates and numbers of this language from now on. */
export function setLanguage(chosen) {
  language = chosen;
}

/** The language in force, as Intl takes it. */
export const locale = () => language;

/** What stands between two sentences: nothing in Chinese. */
export const gap = () => (language === 'zh-CN' ? '' : ' ');

const HAN = /\p{Script=Han}/u;
const LATIN = /[\p{L}\p{N}]/u;

/** The space between a Chinese text's sign and a value's: one beside Latin letters and digits, none between two that are Chinese. */
const spaceBeside = (sign, own, given) => (!HAN.test(sign ?? '') ? given : HAN.test(own) ? '' : LATIN.test(own) ? ' ' : given);

/**
 * A text with its values put in. `{name}` is a value, numbers in the language's way; `{count:one|many}` is one of
 * two words by that number. An unknown key is shown as it is.
 */
export function t(key, values = {}) {
  const text = LANGUAGES[language][key] ?? key;
  return text.replace(/( ?)\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}( ?)/g, (whole, before, name, one, many, after, at) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one !== undefined) return before + (value === 1 ? one : many) + after;
    const shown = typeof value === 'number' ? value.toLocaleString(language) : String(value).replace(TURNS, '');
    if (language !== 'zh-CN') return before + shown + after;
    const [first = '', last = ''] = [[...shown][0], [...shown].at(-1)];
    return spaceBeside(text[at - 1], first, before) + shown + spaceBeside(text[at + whole.length], last, after);
  });
}

/** Whether there is such a text: for words that a newer version of the plugin may add. */
export const hasText = (key) => key in LANGUAGES[language];
