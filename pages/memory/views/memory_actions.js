// What can be done about a memory, and how it is taken back.
import * as api from '../api.js';
import { leftText, namedText, otherwiseText, takeBack } from '../components/choosing.js';
import { confirm } from '../components/dialog.js';
import { toast, toastError } from '../components/toast.js';
import { formatBrief } from '../format.js';
import { t } from '../texts.js';

/**
 * The actions that fit this memory, as {name, danger, run}. What lets more people see it asks first; what can be
 * undone says so in its toast. `onChanged` is called after it, and after its undoing.
 */
export function actionsOn(item, onChanged) {
  const change = (name, status) => () => decided(name, 'items/change', item, { status });
  const share = () => api.post(`items/${item.memory_id}/share`);
  const unshare = () => api.post(`items/${item.memory_id}/unshare`);
  const undone = () => t('toast.undone_of', { fact: formatBrief(item.fact) });
  const act = (name, { run, undo: back, ask = false, danger = false }) => ({
    name,
    danger,
    run: () => done(name, { item, run, undo: back, ask, onChanged }),
  });
  const forget = act('forget', { run: change('forget', 'deleted'), undo, danger: true });
  const approve = act('approve', { run: () => approveOne(item), undo });
  const reject = act('reject', { run: () => decided('reject', 'review/reject', item), undo, danger: true });
  const disable = act('disable', { run: change('disable', 'disabled'), undo });
  const enable = act('enable', { run: change('enable', 'active'), undo });
  const restore = act('restore', { run: change('restore', 'active'), undo });
  const spread =
    item.audience === 'everywhere'
      ? act('unshare', { run: unshare, undo: () => share().then(undone) })
      : act('share', { run: share, undo: () => unshare().then(undone), ask: true });
  switch (item.status) {
    case 'active':
      return item.scope === 'user' ? [disable, spread, forget] : [disable, forget];
    case 'disabled':
      return [enable, forget];
    case 'shadow':
    case 'pending':
      return [approve, reject];
    case 'deleted':
      return [restore];
    default:
      return [restore, forget];
  }
}

/** Take it back; what to say then. */
const undo = ({ decision_id: id }) => takeBack([id]);

/** Let one that waits be used, or throw why it is not; what is answered has the `decision_id`. */
const approveOne = (item) => decided('approve', 'review/approve', item);

/** Decide about one; what is left undone is an error with its reason. */
async function decided(name, path, item, body) {
  const answer = await api.post(path, { ...body, memory_ids: [item.memory_id] });
  if (answer.left.length > 0) {
    const [{ why, detail }] = answer.left;
    throw new api.ApiError(leftText(why, name), null, api.otherOf(why, detail));
  }
  return answer;
}

async function done(name, { item, run, undo: back, ask, onChanged }) {
  if (ask && !(await asked(name, item))) return;
  let answer;
  try {
    answer = await run();
  } catch (error) {
    toastError(error);
    return;
  }
  onChanged();
  const message =
    t(`memory.done.${(await waits(name, item)) ? 'waits' : name}`, { fact: formatBrief(item.fact) }) +
    (await namedText('memory.replaced', answer.replaced)) +
    (name === 'approve' ? await otherwiseText([item.memory_id]).catch(() => '') : '');
  toast({ message, undo: back && answer.decision_id !== '' && (() => back(answer).finally(onChanged)) });
}

/** Whether it waits as before it ended: what comes back is used only if it was. */
async function waits(name, { memory_id: id }) {
  if (name !== 'restore' && name !== 'enable') return false;
  try {
    return ['shadow', 'pending'].includes((await api.get(`items/${id}`)).item.status);
  } catch {
    return false;
  }
}

function asked(name, { fact }) {
  return confirm({ title: t(`memory.ask.${name}`), text: t(`memory.ask_text.${name}`, { fact }), agree: t(`memory.action.${name}`) });
}
