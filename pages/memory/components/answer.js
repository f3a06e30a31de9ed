// What somebody asked for by a button above it, such as a try of a recall.
import { html, useEffect, useRef } from '../preact.js';

/** It comes into view and takes the focus when `to`, what was answered, becomes another. */
export function Answer({ to, children }) {
  const frame = useRef(null);
  useEffect(() => {
    if (!to || frame.current.childElementCount === 0) return;
    const tall = frame.current.offsetHeight > window.innerHeight / 2;
    frame.current.scrollIntoView({ block: tall ? 'start' : 'nearest' });
    frame.current.focus({ preventScroll: true });
  }, [to]);
  return html`<div class="stacked answer" tabindex="-1" ref=${frame}>${children}</div>`;
}
