// What going back to a version would change, before it is done.
import * as api from '../../api.js';
import { confirm } from '../../components/dialog.js';
import { t } from '../../texts.js';
import { modeQuestion } from '../overview/changes.js';
import { effectText } from './look.js';
import { FIELDS, labelOf, valueText } from './settings.js';

/** Say it and ask; another mode is asked for as under Overview. `policy` is the one in force. */
export async function agreesToGoBack(row, policy, waiting) {
  // What a version of an older release does not have becomes the default.
  const names = Object.entries(FIELDS).flatMap(([section, fields]) => fields.map(({ name }) => [section, name]));
  const defaults = names.filter(([section, name]) => row[section]?.[name] === undefined).map((path) => path.join('.'));
  const wanted = { write: {}, read: {} };
  for (const [section, name] of names) wanted[section][name] = row[section]?.[name] ?? policy[section][name];
  const { changes, effects } = await api.post('policy/preview', wanted);
  const change = (field, before, after) => `• ${labelOf(field)}${t('policy.colon')}${before === '' ? '' : `${before} → `}${after}`;
  const mode = changes.find(({ field }) => field === 'write.mode');
  const question = mode && modeQuestion(mode.after, waiting);
  const lines = [
    t('policy.back_changes'),
    ...changes.map(({ field, before, after }) => change(field, valueText(field, before), valueText(field, after))),
    ...defaults.map((field) => change(field, '', t('policy.default'))),
    // What waits, the question tells.
    ...effects.filter(({ what }) => what !== 'waiting' || !question).map(effectText),
    ...(question ? ['', question.text] : []),
  ];
  return confirm({ title: t('policy.back_title', { version: row.version }), agree: t('policy.back_agree'), ...question, text: lines.join('\n') });
}
