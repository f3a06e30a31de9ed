// Texts of the plugin's own in which backticks stand around what is typed or named.
import { html } from '../preact.js';

/** The text with those parts as code. */
export const coded = (text) => text?.split('`').map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
