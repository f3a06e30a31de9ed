// In and out: export, import with a check before and an undo after, snapshots.
import { refreshNames } from '../names.js';
import { Fragment, html, useEffect, useState } from '../preact.js';
import { Export } from './transfer/export.js';
import { Import } from './transfer/import.js';
import { Imports } from './transfer/imports.js';
import { SnapshotOffer } from './transfer/offer.js';
import { Snapshots } from './transfer/snapshots.js';

export function Transfer({ health }) {
  // Each of the lists is asked for anew when another part has changed the memory.
  const [turn, setTurn] = useState(0);
  const changed = () => setTurn((before) => before + 1);
  useEffect(() => {
    refreshNames();
  }, []);
  const readOnly = health?.read_only ?? false;
  return html`<${Fragment}>
    <${SnapshotOffer} key=${`offer-${turn}`} onRestored=${changed} />
    <${Export} />
    <${Import} turn=${turn} readOnly=${readOnly} onDone=${changed} />
    <${Imports} turn=${turn} readOnly=${readOnly} onUndone=${changed} />
    <${Snapshots} turn=${turn} readOnly=${readOnly} onRestored=${changed} />
  <//>`;
}
