// What lies above the page and must be answered or closed first.
import { createPortal, html, useEffect, useId, useLayoutEffect, useRef, useState } from '../preact.js';
import { useRoute } from '../route.js';
import { createStore, useStore } from '../store.js';
import { t } from '../texts.js';
import { Button, SignButton } from './button.js';

/** Those above the page, the topmost last: all but it, and the page, take no focus and no click. */
const stack = [];

// Wherever the focus is: Escape closes the topmost.
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.isComposing) stack.at(-1)?.close();
});

/**
 * A dialog in the middle; with `side` a drawer at the right. Escape and a click beside it close it. The focus goes
 * into it, to what has `data-focus` (in a frame browsers refuse `autofocus`), and comes back to where it was.
 * `actions` are the buttons at its foot.
 */
export function Dialog({ title, onClose, actions, side = false, wide = false, children }) {
  const frame = useRef(null);
  const titleId = useId();
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => above(frame.current, () => close.current()), []);
  // What had the focus may have gone with what was drawn before.
  useLayoutEffect(() => keepFocus(frame.current));
  const shape = [side ? 'drawer' : 'dialog', wide && 'dialog-wide'].filter(Boolean).join(' ');
  return createPortal(
    html`<div class=${side ? 'overlay overlay-side' : 'overlay'} ref=${frame}
      onMouseDown=${(event) => event.target === frame.current && onClose()}>
      <section class=${shape} role="dialog" aria-modal="true" aria-labelledby=${titleId} tabindex="-1">
        <header class="dialog-head">
          <h2 id=${titleId}>${title}</h2>
          <${SignButton} label=${t('action.close')} onClick=${onClose}>✕<//>
        </header>
        <div class="dialog-body">${children}</div>
        ${actions && html`<footer class="dialog-foot">${actions}</footer>`}
      </section>
    </div>`,
    document.getElementById('overlays'),
  );
}

/** Put an overlay above everything; returns what takes it away again. */
function above(overlay, close) {
  const before = document.activeElement;
  const layer = { overlay, close };
  stack.push(layer);
  settle();
  (overlay.querySelector('[data-focus]') ?? overlay.querySelector('[role=dialog]')).focus();
  return () => {
    stack.splice(stack.indexOf(layer), 1);
    settle();
    before?.focus?.();
  };
}

function settle() {
  document.getElementById('page').inert = stack.length > 0;
  stack.forEach(({ overlay }, at) => {
    overlay.inert = at < stack.length - 1;
  });
}

function keepFocus(overlay) {
  if (stack.at(-1)?.overlay !== overlay || document.activeElement !== document.body) return;
  overlay.querySelector('[role=dialog]').focus();
}

const question = createStore(null);

/**
 * Ask; resolves to true or false. `typed` is a word that must be typed before it can be agreed to; `danger` for
 * what cannot be undone, `cancel` what the other button says; `held` where it cannot be agreed to.
 */
export const confirm = ({ title, text, agree, cancel = t('action.cancel'), typed = '', danger = false, held = false }) =>
  new Promise((resolve) => {
    question.set({ title, text, agree, cancel, typed, danger, held, resolve });
  });

/** Where `confirm` asks; the page has one. Whoever goes elsewhere has answered no. */
export function ConfirmHost() {
  const asked = useStore(question);
  const { view, id } = useRoute();
  useEffect(
    () => () => {
      question.get()?.resolve(false);
      question.set(null);
    },
    [view, id],
  );
  if (!asked) return null;
  const answer = (yes) => {
    question.set(null);
    asked.resolve(yes);
  };
  return html`<${Question} ...${asked} onAnswer=${answer} />`;
}

/** Without spaces and signs that nobody sees, which cannot be typed. */
const typeable = (text) => text.replace(/[\s\p{C}]/gu, '');

function Question({ title, text, agree, cancel, typed, danger, held, onAnswer }) {
  const [word, setWord] = useState('');
  const ready = !held && (!typed || typeable(word) === typeable(typed));
  const id = useId();
  return html`<${Dialog} title=${title} onClose=${() => onAnswer(false)} actions=${html`
      <${Button} kind="text" onClick=${() => onAnswer(false)}>${cancel}<//>
      <${Button} kind=${danger ? 'danger' : 'filled'} disabled=${!ready} data-focus=${(ready && !typed && !danger) || undefined} onClick=${() => onAnswer(true)}>${agree}<//>
    `}>
    <p class="keep-lines">${text}</p>
    ${typed &&
    html`<div class="field">
      <label for=${id}>${t('confirm.type', { word: typed })}</label>
      <input id=${id} class="input" autocomplete="off" spellcheck=${false} data-focus value=${word} onInput=${(e) => setWord(e.currentTarget.value)} />
    </div>`}
  <//>`;
}
