import { JOURNEY_KEY } from '../../core/consent/storage-keys.ts';
import { hasGpc } from '../consent/gpc.ts';
import { readStoredJson, writeStored } from '../storage.ts';

/** Reads what a part of a page remembers during the session, unparsed; undefined when it is missing. */
export function readSessionState(name: string): unknown {
  return Object(readRecord().state)[name];
}

/** Writes what a part of a page remembers during the session; under Global Privacy Control nothing is stored. */
export function writeSessionState(name: string, value: unknown): void {
  if (hasGpc()) return;
  const record = readRecord();
  const state = { ...Object(record.state), [name]: value };
  writeStored('session', JOURNEY_KEY, JSON.stringify({ ...record, state }));
}

/** The journey record also has room for state, so that the session needs no further key. */
function readRecord(): { readonly state?: unknown } {
  return Object(readStoredJson('session', JOURNEY_KEY));
}
