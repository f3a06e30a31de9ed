// The plugin's API through the host's bridge: the page itself can reach no network.

/** What the API refused; `field` is the name of the value that is wrong, or null; `other` the id of the memory in the way. */
export class ApiError extends Error {
  constructor(message, field, other = '') {
    super(message);
    this.field = field;
    this.other = other;
  }
}

/** GET with query parameters; those that are undefined, null or empty are left out. */
export const get = (path, params) => asked((bridge) => bridge.apiGet(path, given(params)));

/** POST with a JSON body. */
export const post = (path, body) => asked((bridge) => bridge.apiPost(path, body ?? {}));

/** POST of one file, in the field `file`. */
export const upload = (path, file) => asked((bridge) => bridge.upload(path, file));

/** Let the browser save what a GET answers. */
export const download = (path, params, name) =>
  asked((bridge) => bridge.download(path, given(params), name));

async function asked(ask) {
  try {
    return await ask(window.AstrBotPluginPage);
  } catch (error) {
    throw understood(error);
  }
}

function given(params) {
  const kept = Object.entries(params ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** The bridge passes on the message alone, which begins with the field's name and a colon where there is one. */
function understood(error) {
  const message = error instanceof Error ? error.message : String(error);
  const named = /^([a-z][a-z0-9_.]*): (.+)$/s.exec(message);
  return named ? new ApiError(named[2], named[1], otherOf(named[1], named[2])) : new ApiError(message, null);
}

/** The id of the memory that is in the way, as a refusal and its detail tell it; else empty. */
export const otherOf = (rule, detail) => (rule === 'taken' && /^the memory (\S+) /.exec(detail)?.[1]) || '';
