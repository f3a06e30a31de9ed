// Trying a recall: as this person, in this chat, with these words.
import * as api from '../api.js';
import { Answer } from '../components/answer.js';
import { Button } from '../components/button.js';
import { AreaField, SelectField } from '../components/field.js';
import { LEVELS } from '../components/item.js';
import { PersonField, usePerson } from '../components/person.js';
import { Section } from '../components/section.js';
import { Failed } from '../components/states.js';
import { formatDay } from '../format.js';
import { chatText } from '../names.js';
import { html, useEffect, useState } from '../preact.js';
import { goTo } from '../route.js';
import { gap, t } from '../texts.js';
import { Outcome } from './recall/outcome.js';

/** What was typed and chosen last, for who leaves the tab and comes back. */
let left = {};

/** The address holds what is tried, so that a view may link to a try and one may come back to it. */
export function TryOut({ route: { query: given } }) {
  const [begun] = useState(() => left);
  const query = given.account ? given : begun;
  const [person, setPerson] = usePerson(query.account);
  const [umo, setUmo] = useState(query.umo ?? '');
  const [level, setLevel] = useState(query.level ?? '');
  const [text, setText] = useState(query.text ?? '');
  const [tried, setTried] = useState({ outcome: null, error: null, busy: false });
  const names = new Map(person ? [[person.account, person.name || person.account]] : []);
  const chats = person?.chats ?? [];
  const chat = chats.some((each) => each.umo === umo) ? umo : (chats[0]?.umo ?? '');
  if (person !== undefined) left = { account: person?.account, umo, level, text };
  const written = text.trim() !== '';
  const ready = Boolean(person) && chat !== '' && written;
  const missing = person ? !written && t('tryout.needs_text') : t(written ? 'tryout.needs_person' : 'tryout.needs');

  const tryIt = async () => {
    const asked = { account: person.account, umo: chat, text: text.trim(), ...(level && { level }) };
    goTo('tryout', null, asked, { replace: true });
    setTried((before) => ({ ...before, error: null, busy: true }));
    try {
      const { text: said, ...who } = asked;
      setTried({ outcome: { ...(await api.post('recall/try', asked)), asked: who, said, scope_id: person.scope_id, account: person.account, owner: person.name || person.account }, error: null, busy: false });
    } catch (error) {
      setTried({ outcome: null, error, busy: false });
    }
  };
  // Come to with a whole question in the address: answer it.
  useEffect(() => {
    if (ready && given.account === person.account && tried.outcome === null && !tried.busy) tryIt();
  }, [person]);

  // What another person, chat or level was given says nothing of this one.
  const { asked, said } = tried.outcome ?? {};
  const fits = asked && asked.account === person?.account && asked.umo === chat && (asked.level ?? '') === level;
  const outcome = fits ? tried.outcome : null;
  const submit = (event) => {
    event.preventDefault();
    if (ready && !tried.busy) tryIt();
  };
  return html`<${Section} title=${t('tryout.title')} hint=${t('tryout.hint')}>
    <form class="card" onSubmit=${submit}>
      <div class="form-grid">
        <${PersonField} label=${t('tryout.person')} value=${person} onValue=${setPerson} />
        <${SelectField} label=${t('tryout.level')} hint=${t('tryout.level_hint')} value=${level} onValue=${setLevel}
          options=${[['', t('tryout.level_as_is')], ...LEVELS.map((each) => [each, t(`level.${each}`)])]} />
      </div>
      <${SelectField} label=${t('tryout.chat')} value=${chat} onValue=${setUmo} disabled=${chats.length === 0}
        hint=${person && chats.length === 0 ? t('tryout.no_chat') : null} options=${person ? chats.map((each) => chatOption(each, names)) : [['', t('tryout.choose_person')]]} />
      <${AreaField} label=${t('tryout.text')} value=${text} onValue=${setText} rows="2" placeholder=${t('tryout.text_example')} />
      <div class="row"><${Button} kind="filled" type="submit" busy=${tried.busy} disabled=${!ready}>${t('tryout.try')}<//>${!ready && html`<span class="muted">${missing}</span>`}</div>
    </form>
    ${tried.error && html`<${Failed} error=${tried.error} />`}
    <${Answer} to=${tried.outcome}>${outcome &&
    html`<p class="muted">${t('tryout.of', { name: names.get(asked.account), chat: chatText(chat, names) })}${gap()}<span class="breakable">${t('tryout.said', { text: said })}</span></p>
      <${Outcome} outcome=${outcome} />`}<//>
  <//>`;
}

const chatOption = ({ umo, last_seen: seen }, names) => [umo, t('tryout.chat_seen', { chat: chatText(umo, names), seen: formatDay(seen) })];
