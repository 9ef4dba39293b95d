/** Removes slashes at the end. A regular expression would be quadratic in the number of slashes. */
export function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Splits a request target into path and query; a fragment, which no client sends, is dropped. */
export function splitTarget(target: string): [string, string] {
  const withoutFragment = target.split('#', 1)[0] ?? '/';
  const mark = withoutFragment.indexOf('?');
  return mark < 0 ? [withoutFragment, ''] : [withoutFragment.slice(0, mark), withoutFragment.slice(mark + 1)];
}

/** The query of a redirect: parsed and serialized again, so that it contains nothing but parameters. */
export function cleanQuery(query: string): string {
  return new URLSearchParams(query.slice(0, 4096)).toString();
}
