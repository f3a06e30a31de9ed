// The two switches of the memory, as every part of the overview turns them: asked for, done, and seen at the top.
import * as api from '../../api.js';
import { confirm } from '../../components/dialog.js';
import { toast } from '../../components/toast.js';
import { refreshHealth } from '../../health.js';
import { t } from '../../texts.js';

/** What is asked before another mode: {title, text, agree}. */
export function modeQuestion(mode, waiting) {
  const left = mode === 'auto' && waiting > 0 && t('mode_change.auto.waiting', { count: waiting });
  return {
    title: t(`mode_change.${mode}.title`),
    text: [t(`mode_change.${mode}.text`), left].filter(Boolean).join('\n\n'),
    agree: t(`mode_change.${mode}.agree`),
  };
}

/** Ask, then set the mode of automatic writing, which `health` has until then. */
export async function changeMode(mode, { mode: before, waiting }) {
  if (!(await confirm(modeQuestion(mode, waiting)))) return;
  const turn = async (to) => {
    await api.post('mode', { mode: to });
    await refreshHealth();
    return t('mode_change.done', { mode: t(`mode.${to}`) });
  };
  toast({ message: await turn(mode), undo: () => turn(before) });
}

/** Ask, then turn read-only on or off. */
export async function changeReadOnly(on) {
  const which = on ? 'on' : 'off';
  const agreed = await confirm({
    title: t(`read_only.${which}.title`),
    text: t(`read_only.${which}.text`),
    agree: t(`read_only.${which}.agree`),
  });
  if (!agreed) return;
  await api.post('readonly', { on });
  await refreshHealth();
  toast({ message: t(`read_only.${which}.done`) });
}
