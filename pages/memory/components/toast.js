// Short messages at the foot of the page, some with a way back.
import { errorText } from '../errors.js';
import { createPortal, html, useEffect, useLayoutEffect, useRef, useState } from '../preact.js';
import { createStore, useStore } from '../store.js';
import { t } from '../texts.js';
import { Button, SignButton } from './button.js';

export const STAYS = 8_000;
/** Time to see what was done, and take it back. */
export const STAYS_UNDOABLE = 20_000;
const toasts = createStore([]);
let number = 0;

/**
 * Say something. `undo` is a function that takes it back by a button called `back`, and may return what to say then; `tone` is neutral or error. `about` is the id of what was
 * changed: what was said of it before goes, for only the last change can be taken back.
 */
export function toast({ message, undo, back = t('action.undo'), tone = 'neutral', about = null }) {
  const added = { id: ++number, message, undo, back, tone, about };
  // What can be taken back, or went wrong, stays beside it.
  const stays = (each) => (each.undo || each.tone === 'error') && (about === null || each.about !== about);
  toasts.set((present) => [...present.filter(stays).slice(-2), added]);
}

/** Say that something went wrong. */
export const toastError = (error) =>
  toast({ message: errorText(error), tone: 'error' });

/** Where they are shown; the page has one. */
export function Toasts() {
  const present = useStore(toasts);
  const frame = useRef(null);
  // They take their room from the page and from what lies above it, so that nothing stays under them.
  useLayoutEffect(() => document.documentElement.style.setProperty('--toasts', `${frame.current.offsetHeight}px`), [present]);
  return createPortal(
    html`<div class="toasts" role="status" aria-live="polite" ref=${frame}>
      ${present.map((each) => html`<${Toast} key=${each.id} toast=${each} />`)}
    </div>`,
    document.getElementById('toasts'),
  );
}

function Toast({ toast: { id, message, undo, back: label, tone } }) {
  const [held, setHeld] = useState(false);
  const drop = () => toasts.set((present) => present.filter((each) => each.id !== id));
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(drop, undo ? STAYS_UNDOABLE : STAYS);
    return () => clearTimeout(timer);
  }, [held]);
  const back = async () => {
    drop();
    try {
      const told = await undo();
      toast({ message: typeof told === 'string' ? told : t('toast.undone') });
    } catch (error) {
      toastError(error);
    }
  };
  // It stays while somebody points at it or has the focus in it.
  return html`<div class=${`toast toast-${tone}`} onMouseEnter=${() => setHeld(true)} onMouseLeave=${() => setHeld(false)}
    onFocusIn=${() => setHeld(true)} onFocusOut=${() => setHeld(false)}>
    <span class="toast-text">${message}</span>
    ${undo && html`<${Button} kind="text" onClick=${back}>${label}<//>`}
    <${SignButton} label=${t('action.close')} onClick=${drop}>✕<//>
  </div>`;
}
