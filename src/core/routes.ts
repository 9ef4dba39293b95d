/**
 * Query parameters that change what a path shows, by path. Everything else in a query is ignored by the
 * server: it neither splits the page cache nor reaches a page, so it cannot poison either.
 */
const MEANINGFUL_QUERY: ReadonlyMap<string, readonly string[]> = new Map([
  ['/blog', ['q', 'page']],
  ['/contact', ['topic', 'sent']],
  ['/gohighlevel-free-trial', ['tools', 'cost']],
  ['/roi-calculator', ['crmCost', 'emailCost', 'funnelCost', 'schedulingCost', 'otherCost']],
  ['/assessment', ['step']],
]);

/** Pages of a calculator: a field that was emptied counts as 0, one that is not there as its default. */
const EMPTY_IS_MEANT: ReadonlySet<string> = new Set(['/gohighlevel-free-trial', '/roi-calculator']);

/** Lists below the hub, whose paths are as many as the topics and tags. */
const LIST_PATH = /^\/blog\/(topic|tag)\//;

const LONGEST_VALUE = 200;

/** The part of a query that matters to a page: known names, first value each, cut, in a fixed order. */
export function pickQuery(path: string, query: URLSearchParams): URLSearchParams {
  const picked = new URLSearchParams();
  const isEmptyMeant = EMPTY_IS_MEANT.has(path);
  for (const name of MEANINGFUL_QUERY.get(path) ?? readBelowHub(path)) {
    const value = query.get(name)?.slice(0, LONGEST_VALUE);
    if (value !== undefined && (value !== '' || isEmptyMeant)) picked.set(name, value);
  }
  return picked;
}

/** Lists have pages, articles may be asked for with the preview token; such an answer is never kept. */
function readBelowHub(path: string): readonly string[] {
  if (LIST_PATH.test(path)) return ['page'];
  return path.startsWith('/blog/') ? ['preview'] : [];
}

/** A path as the site writes it: no trailing slash, no doubled slashes; null when it is not a path of any site. */
export function parsePath(raw: string): string | null {
  if (!raw.startsWith('/') || raw.length > 1024 || raw.includes('\\') || raw.includes('//')) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(raw);
  } catch {
    return null;
  }
  const isControl = (character: string) => character < ' ' || character === '\u007f';
  if ([...decoded].some(isControl) || decoded.includes('\\') || decoded.includes('//')) return null;
  if (decoded.split('/').some((part) => part === '.' || part === '..')) return null;
  return raw;
}
