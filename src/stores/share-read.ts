/** What was read, by what it depends on. */
interface Reads<Key, Value> {
  get(key: Key): Promise<Value> | undefined;
  set(key: Key, reading: Promise<Value>): unknown;
  delete(key: Key): unknown;
}

/**
 * Reads once for a key, and again after a failure. `sharesWork`: as in `Platform`; false: what another request is still reading
 * is read anew, because it never settles once that request has ended.
 */
export function shareRead<Key, Value>(
  reads: Reads<Key, Value>,
  key: Key,
  sharesWork: boolean,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = reads.get(key);
  if (known !== undefined) return known;
  const reading = read();
  const share = () => void reads.set(key, reading);
  if (sharesWork) share();
  reading.then(sharesWork ? undefined : share, () => reads.delete(key));
  return reading;
}
