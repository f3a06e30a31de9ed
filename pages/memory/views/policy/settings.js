// The settings that govern: their fields, and their words, which the dashboard hands over with the plugin's own
// translations; there are no others to go out of step with.
import { unfitText } from '../../errors.js';
import { formatNumber } from '../../format.js';
import { locale, t } from '../../texts.js';
import FIELDS from './fields.js';

export { FIELDS };

/** {label, hint, labels} of one setting, or of a whole section without a name; its name where there are no words. */
export function wordsOf(section, name = null) {
  const config = window.AstrBotPluginPage.getI18n()?.[locale()]?.config?.[`${section}_policy`] ?? {};
  const words = (name === null ? config : config[name]) ?? {};
  return { label: words.description ?? name ?? section, hint: words.hint, labels: words.labels ?? [] };
}

/** What any setting is called, behind its section, by its path in the plugin's form; the path where it is no setting. */
export function settingText(path) {
  let words = window.AstrBotPluginPage.getI18n()?.[locale()]?.config;
  const names = path.split('.').map((name) => (words = words?.[name])?.description);
  return names.every(Boolean) ? names.join(' → ') : path;
}

/** What a value of a field is called. */
export function optionText(section, field, value) {
  return wordsOf(section, field.name).labels[field.options.indexOf(value)] ?? value;
}

/** A setting by its dotted name, such as `write.mode`: {section, field}, or null when it is not known here. */
export function settingOf(dotted) {
  const [section, name] = dotted.split('.');
  const field = FIELDS[section]?.find((each) => each.name === name);
  return field ? { section, field } : null;
}

/** A value as one reads it. */
export function valueText(dotted, value) {
  const found = settingOf(dotted);
  if (value === null || value === undefined) return t('policy.none');
  if (Array.isArray(value)) {
    if (value.length === 0) return t('policy.none');
    const names = value.map((each) => (found ? optionText(found.section, found.field, each) : each));
    return new Intl.ListFormat(locale(), { type: 'unit' }).format(names);
  }
  if (typeof value === 'boolean') return t(value ? 'policy.yes' : 'policy.no');
  if (typeof value === 'number') return formatNumber(value);
  return found?.field.options ? optionText(found.section, found.field, value) : String(value);
}

/** What a setting is called, by its dotted name. */
export function labelOf(dotted) {
  const found = settingOf(dotted);
  return found ? wordsOf(found.section, found.field.name).label : dotted;
}

/** The form's values of a policy: numbers as the text that is typed, several in the order they are named. */
export const draftOf = (policy) => mapped(policy, (value, { kind, options }) => {
  if (kind === 'several') return options.filter((each) => value.includes(each));
  return kind === 'whole' || kind === 'share' ? String(value) : value;
});

/** The policy of the form's texts; a number that is none becomes null. */
export const policyOf = (draft) =>
  mapped(draft, (value, { kind }) => (kind === 'whole' || kind === 'share' ? asNumber(value) : value));

/** What the API would refuse of the form's texts: why, by the dotted name. */
export function unfitIn(draft) {
  const unfit = {};
  mapped(draft, (text, field, section) => (unfit[`${section}.${field.name}`] = unfitRule(field, text)));
  if (WEIGHTS.every((name) => asNumber(draft.read[name]) === 0)) unfit[`read.${WEIGHTS[0]}`] = 'weights';
  const told = (dotted) => unfitText(unfit[dotted], settingOf(dotted).field);
  return Object.fromEntries(Object.keys(unfit).filter((dotted) => unfit[dotted]).map((dotted) => [dotted, told(dotted)]));
}

const WEIGHTS = ['similarity_weight', 'importance_weight', 'recency_weight'];

function unfitRule({ kind, low, high }, text) {
  if (kind !== 'whole' && kind !== 'share') return null;
  const value = asNumber(text);
  if (value === null) return 'missing';
  return value < low || value > high || (kind === 'whole' && !Number.isInteger(value)) ? kind : null;
}

const asNumber = (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text));

const mapped = (whole, change) =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([section, fields]) => [
      section,
      Object.fromEntries(fields.map((field) => [field.name, change(whole[section][field.name], field, section)])),
    ]),
  );
