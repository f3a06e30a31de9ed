// Everything, or what belongs to one person or group, as a file.
import * as api from '../../api.js';
import { Button } from '../../components/button.js';
import { SelectField } from '../../components/field.js';
import { PersonField } from '../../components/person.js';
import { Section } from '../../components/section.js';
import { toast } from '../../components/toast.js';
import { useDoing } from '../../doing.js';
import { errorText } from '../../errors.js';
import { useLoaded } from '../../loading.js';
import { html, useState } from '../../preact.js';
import { t } from '../../texts.js';

const MOST = 200;

export function Export() {
  const [which, setWhich] = useState('all');
  const [person, setPerson] = useState(null);
  const [place, setPlace] = useState('');
  const [busy, run] = useDoing();
  const places = useLoaded(async () => (which === 'place' ? otherScopes(await api.get('stats', { page_size: MOST })) : []), [which]);
  const chosen = { all: {}, person: ofPerson(person), place: ofPlace(places.data ?? [], place) }[which];
  const save = async () => {
    await api.download('export', chosen, `ltm-export-${new Date().toISOString().slice(0, 10)}.json`);
    toast({ message: t('export.done') });
  };
  return html`<${Section} title=${t('export.title')} hint=${t('export.hint')}>
    <div class="card">
      <div class="form-grid">
        <${SelectField} label=${t('export.what')} value=${which} onValue=${setWhich}
          options=${['all', 'person', 'place'].map((each) => [each, t(`export.${each}`)])} />
        ${which === 'person' && html`<${PersonField} label=${t('export.which_person')} value=${person} onValue=${setPerson} />`}
        ${which === 'place' &&
        html`<${SelectField} label=${t('export.which_place')} value=${place} onValue=${setPlace}
          hint=${places.data?.length === 0 && !places.busy ? t('export.no_place') : null} error=${places.error && errorText(places.error)}
          options=${[['', t('export.choose')], ...(places.data ?? []).map((each) => [keyOf(each), placeText(each)])]} />`}
      </div>
      <div class="row"><${Button} kind="filled" busy=${busy} disabled=${chosen === null} onClick=${() => run(save)}>${t('export.save')}<//></div>
    </div>
  <//>`;
}

const otherScopes = ({ scopes }) => scopes.filter(({ scope }) => scope !== 'user');
const keyOf = ({ scope, scope_id: id }) => `${scope}/${id}`;
const placeText = ({ scope, scope_id: id, name }) => t('export.one_place', { scope: t(`scope.${scope}`), name: name && name !== id ? t('item.named', { name, id }) : id });
const ofPerson = (person) => (person ? { scope: 'user', scope_id: person.scope_id } : null);

function ofPlace(places, key) {
  const place = places.find((each) => keyOf(each) === key);
  return place ? { scope: place.scope, scope_id: place.scope_id } : null;
}
