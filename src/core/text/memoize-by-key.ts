/**
 * Memoizes a pure function of an object; a result is released together with its object. By the note below, scripts for
 * browsers leave out what they do not use.
 */
/* @__NO_SIDE_EFFECTS__ */
export function memoizeByKey<Key extends object, Result>(work: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.result;
    const result = work(key);
    known.set(key, { result });
    return result;
  };
}
