// Numbers, dates and spans in the dashboard's language, in the time zone of the chat's replies.
import { locale, t } from './texts.js';

const SPANS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** That of the reader until the host's is known, or where the browser does not know that one. */
let timeZone;

/** Use the zone of this name or offset; with '' the last one stays. */
export function setTimeZone(name) {
  try {
    if (name) timeZone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

const formatDate = (at, options) => new Intl.DateTimeFormat(locale(), { timeZone, ...options }).format(new Date(at));

export const formatNumber = (value, options) => new Intl.NumberFormat(locale(), options).format(value);

/** A share of one, to two places first, as replies and the request's block tell it: what is stored as 0.855 is 0.85. */
export const formatPercent = (value) => formatNumber(Number(value.toFixed(2)), { style: 'percent', maximumFractionDigits: 0 });

/** The offset of the time zone at an instant, as replies in the chat tell theirs: "UTC+08:00". */
const zoneAt = (at) =>
  new Intl.DateTimeFormat(locale(), { timeZone, timeZoneName: 'longOffset' }).formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName').value.replace('GMT', 'UTC').replace('+00:00', '');

/** Day, time and zone of an ISO instant without its year, for lists in which a hover tells that. */
export const formatBriefMoment = (at) =>
  `${formatDate(at, { month: 'short', day: 'numeric', hour: locale() === 'zh-CN' ? '2-digit' : 'numeric', minute: '2-digit' })} ${zoneAt(at)}`;

/** Day, time and zone of an ISO instant. */
export const formatInstant = (at) =>
  `${formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })} ${zoneAt(at)}`;

/** The day of an ISO instant, or of a plain `2026-01-31`, which belongs to no time zone. */
export function formatDay(at, options = { dateStyle: 'medium' }) {
  const plain = /^\d{4}-\d\d-\d\d$/.test(at);
  return formatDate(at, plain ? { ...options, timeZone: 'UTC' } : options);
}

/** How long ago, or how long until, as in "3 days ago". */
export function formatAge(at, now = Date.now()) {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  for (const [unit, length] of SPANS) {
    if (Math.abs(seconds) >= length) return words.format(Math.trunc(seconds / length), unit).replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
  }
  return seconds > 0 ? words.format(0, 'minute') : t('age.now');
}

/** The beginning of a fact, for a message in which it is only named. */
export function formatBrief(fact, most = 60) {
  const signs = [...fact];
  return signs.length > most ? `${signs.slice(0, most).join('').trimEnd()}…` : fact;
}

/** A size as in "1.5 MB". */
export function formatBytes(bytes) {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  const options = { style: 'unit', unit: units[power], unitDisplay: power ? 'short' : 'long', maximumFractionDigits: 1 };
  return formatNumber(bytes / 1000 ** power, options);
}
