/** Without slashes at the end. By hand: a pattern tries every run of slashes again from each of its slashes. */
export function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Path and query of a request's target; a fragment, which no client sends, is dropped. */
export function splitTarget(target: string): [string, string] {
  const withoutFragment = target.split('#', 1)[0] ?? '/';
  const mark = withoutFragment.indexOf('?');
  return mark < 0 ? [withoutFragment, ''] : [withoutFragment.slice(0, mark), withoutFragment.slice(mark + 1)];
}

/** A query that is kept in a redirect: parsed and written again, so that it holds nothing but parameters. */
export function cleanQuery(query: string): string {
  return new URLSearchParams(query.slice(0, 4096)).toString();
}
