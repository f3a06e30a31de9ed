// Short messages at the foot of the page, some with a way back.
import { errorText } from '../errors.js';
import { createPortal, html, useEffect, useLayoutEffect, useRef, useState } from '../preact.js';
import { useRoute } from '../route.js';
import { createStore, useStore } from '../store.js';
import { gap, t } from '../texts.js';
import { Button, SignButton } from './button.js';
import { Other } from './other.js';

const STAYS = 5_000;
/** Time to see what was done, and take it back. */
const STAYS_UNDOABLE = 10_000;
const toasts = createStore([]);
let number = 0;

/**
 * Say something, in the place of what was said before, unless that went wrong. `undo` takes it back, and may return
 * what to say then; `other` is the memory in the way; `next` is what is likely to follow, as {label, run}; `tone` is
 * neutral or error.
 */
export function toast({ message, undo, other, next, tone = 'neutral' }) {
  drop(({ tone: before }) => before !== 'error');
  toasts.set((present) => [...present.slice(-2), { id: ++number, message, undo, other, next, tone }]);
}

/** Take away those that fit: all but errors, when one goes to another view. */
export function drop(fits) {
  toasts.set((present) => present.filter((each) => !fits(each)));
}

/** Say that something went wrong. */
export const toastError = (error) =>
  toast({ message: errorText(error), other: error.other, tone: 'error' });

/** Where they are shown; the page has one. */
export function Toasts() {
  const present = useStore(toasts);
  const { view } = useRoute();
  const frame = useRef(null);
  const room = useRef(0);
  // The page's end has room for some; for more, room is made, which stays: what is above it would move when it goes.
  useLayoutEffect(() => {
    room.current = 0;
  }, [view]);
  useLayoutEffect(() => {
    room.current = Math.max(room.current, frame.current.offsetHeight);
    document.documentElement.style.setProperty('--toasts', `${room.current}px`);
  }, [present, view]);
  return createPortal(
    html`<div class="toasts" role="status" aria-live="polite" ref=${frame}>
      ${present.map((each) => html`<${Toast} key=${each.id} toast=${each} />`)}
    </div>`,
    document.getElementById('toasts'),
  );
}

function Toast({ toast: { id, message, undo, other, next, tone } }) {
  const [held, setHeld] = useState(false);
  const close = () => drop((each) => each.id === id);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(close, undo || next ? STAYS_UNDOABLE : STAYS);
    return () => clearTimeout(timer);
  }, [held]);
  const back = async () => {
    toasts.set((present) => present.filter((each) => each.id !== id));
    try {
      toast({ message: await undo() });
    } catch (error) {
      toastError(error);
    }
  };
  const go = () => {
    toasts.set((present) => present.filter((each) => each.id !== id));
    next.run();
  };
  // It stays while somebody points at it or has the focus in it.
  return html`<div class=${`toast toast-${tone}`} onMouseEnter=${() => setHeld(true)} onMouseLeave=${() => setHeld(false)}
    onFocusIn=${() => setHeld(true)} onFocusOut=${() => setHeld(false)}>
    <span class="toast-text">${message}${other && html`${gap()}<${Other} id=${other} />`}</span>
    ${next && html`<${Button} kind="text" onClick=${go}>${next.label}<//>`}
    ${undo && html`<${Button} kind="text" onClick=${back}>${t('action.undo')}<//>`}
    <${SignButton} label=${t('action.close')} onClick=${close}>✕<//>
  </div>`;
}
