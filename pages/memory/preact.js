// Preact with templates: every other file takes these names from here.
import { Fragment, createPortal, h, render } from './vendor/preact.js';
import htm from './vendor/htm.js';

export { Fragment, createPortal, render };
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from './vendor/hooks.js';

/** A template as in html`<p class="x">${text}</p>`. What stands in ${} is text or elements, never markup. */
export const html = htm.bind(h);
