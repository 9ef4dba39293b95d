import { BLOG_PATH, isGroupPath } from '../../paths.ts';
import { nameCommand } from '../../text/name-command.ts';
import { decodePercent } from '../../text/parse-text.ts';
import { splitLaterPage } from './redirects.ts';

/** A permanent redirect: a path, alone or with a query, and a path or web address. */
export type RedirectPair = readonly [from: string, to: string];

const HEAD = `Permanent redirects, written by "${nameCommand('export')}".`;

/** A path and the same with a slash at its end; with a query, the address alone. */
const listSpellings = (from: string) =>
  from.includes('?') || from.endsWith('/') ? [from] : [from, `${from}/`];

const FIRST_PAGE = '/page/1';
/** A later page of an archive or of comments, as this site finds its redirect too. */
const LATER_PAGE = '/(?:page/|comment-page-)[0-9]{1,6}';

/**
 * How a server compares a path: an address that is itself that of a later page, the first page of an archive for all of its
 * pages, or a path with all of its later pages. The order is that in which they have to be tried.
 */
function parsePattern(from: string): {
  readonly order: number;
  readonly base: string;
  readonly pages: string;
} {
  if (from.endsWith(FIRST_PAGE))
    return { order: 1, base: from.slice(0, -FIRST_PAGE.length), pages: '/page/[0-9]{1,6}' };
  return splitLaterPage(from) === null
    ? { order: 2, base: from, pages: `(?:${LATER_PAGE})?` }
    : { order: 0, base: from, pages: '' };
}

const inOrder = (pairs: readonly RedirectPair[]) =>
  pairs
    .map(([from, to]) => ({ from, to, ...parsePattern(from) }))
    .sort(
      (one, other) =>
        Number(!one.from.includes('?')) - Number(!other.from.includes('?')) || one.order - other.order,
    );

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\"]/g, '\\$&');

/** `$` begins a variable in nginx, also in quotes. */
const quoteNginx = (text: string) =>
  `"${text.replaceAll('\\', '%5C').replaceAll('"', '%22').replaceAll('$', '%24')}"`;

/** Writes maps for nginx. They belong into the `http` block; the `server` block needs the line of their comment. */
export function buildNginxRedirects(pairs: readonly RedirectPair[]): string {
  // nginx compares without regard to case, and refuses a key that is there twice.
  const known = new Set<string>();
  const rules = inOrder(pairs).filter(({ from }) => {
    const key = from.toLowerCase();
    return !known.has(key) && known.add(key);
  });
  const format = (list: readonly { readonly from: string; readonly to: string }[]) =>
    list.map(({ from, to }) => `  ${quoteNginx(from)} ${quoteNginx(to)};\n`).join('');
  const own = rules
    .filter(({ from, order }) => order === 0 && !from.includes('?'))
    .flatMap(({ from }) => listSpellings(from).map((spelling) => ({ from: spelling, to: from })));
  const first = rules
    .filter(({ order }) => order === 1)
    .map(({ from, base, pages }) => `  "~^${escapePattern(base)}${pages}/*(?:[?]|$)" ${quoteNginx(from)};\n`);
  return `# ${HEAD}
# Include this file in the http block, and add to the server block:
#   if ($moved_to) { return 301 $moved_to; }
map_hash_max_size 262144;
map_hash_bucket_size 4096;
# The path without its query; of a later page of an archive, the path of the archive.
map $request_uri $former_path {
  default $request_uri;
${format(own)}${first.join('')}  "~^(?<former_archive>/[^?]*?)${LATER_PAGE}/*(?:[?]|$)" $former_archive;
  "~^(?<former_page>/[^?]*?)/*(?:[?]|$)" $former_page;
}
map $former_path $moved_path {
  default "";
${format(rules.filter(({ from }) => !from.includes('?')))}}
map $request_uri $moved_to {
  default $moved_path;
${format(rules.filter(({ from }) => from.includes('?')))}}
`;
}

/** Writes rules of mod_rewrite for a virtual host or an `.htaccess`. They compare the address as the client sent it. */
export function buildApacheRedirects(pairs: readonly RedirectPair[]): string {
  const rules = inOrder(pairs).map(({ from, to, base, pages }) => {
    const end = from.includes('?') ? String.raw`\ ` : String.raw`${pages}/?(\?[^\ ]*)?\ `;
    const start = from.includes('?') ? from : base;
    // In a target, % and $ refer to what was matched.
    const target = to.replace(/[\\"]/g, encodeURIComponent).replace(/[%$]/g, '\\$&');
    return `RewriteCond %{THE_REQUEST} "^[A-Z]+\\ ${escapePattern(start)}${end}"\nRewriteRule ^ "${target}" [R=301,NE,QSD,L]`;
  });
  return `# ${HEAD}\nRewriteEngine On\n${rules.join('\n')}\n`;
}

/** Writes directives for a site block of Caddy, which compares decoded paths. */
export function buildCaddyRedirects(pairs: readonly RedirectPair[]): string {
  // In quotes, a backslash is one unless a quotation mark follows.
  const quote = (text: string) => `"${text.replaceAll('"', '\\"')}"`;
  const rules = inOrder(pairs).map(({ from, to, base, pages }, index) => {
    const [path = '', query] = from.split('?', 2);
    const matchers =
      query === undefined
        ? [`path_regexp ${quote(`^${escapePattern(decodePercent(base))}${pages}/?$`)}`]
        : [
            `path ${listSpellings(path)
              .map((spelling) => quote(decodePercent(spelling).replace(/[*{}]/g, '\\$&')))
              .join(' ')}`,
            ...[...new URLSearchParams(query)].map(([name, value]) => `query ${quote(`${name}=${value}`)}`),
          ];
    // The target has a literal percent sign, which is no placeholder.
    const target = quote(to.replace(/[{}\\]/g, encodeURIComponent));
    return `@moved${index} {\n  ${matchers.join('\n  ')}\n}\nredir @moved${index} ${target} permanent`;
  });
  return `# ${HEAD}\n${rules.join('\n')}\n`;
}

/** Rules with a placeholder that Cloudflare Pages takes. */
const MAX_PLACEHOLDER_RULES = 100;

/**
 * Writes a `_redirects` file of Cloudflare Pages. It knows no queries: those redirects are comments. Of the few rules with a
 * placeholder that it takes, archives get one each for their later pages.
 */
export function buildCloudflareRedirects(pairs: readonly RedirectPair[]): string {
  const isOfDate = (from: string) => Number(/\/\d{4}(?:\/\d\d){0,2}$/.test(from));
  const archives = pairs
    .filter(([from, to]) => !from.includes('?') && (to === BLOG_PATH || isGroupPath(to)))
    .sort(([one], [other]) => isOfDate(one) - isOfDate(other));
  const lines = pairs.flatMap(([from, to]) =>
    from.includes('?')
      ? [`# ${from} ${to} (a query: add it as a redirect rule)`]
      : listSpellings(from).map((spelling) => `${spelling} ${to} 301`),
  );
  const pages = archives.map(
    ([from, to]) =>
      `${from.endsWith(FIRST_PAGE) ? from.slice(0, -FIRST_PAGE.length) : from}/page/:page ${to} 301`,
  );
  const [taken, others] = [pages.slice(0, MAX_PLACEHOLDER_RULES), pages.slice(MAX_PLACEHOLDER_RULES)];
  return `# ${HEAD}
# Cloudflare Pages takes 2,000 lines without and ${MAX_PLACEHOLDER_RULES} with a placeholder: put more into a list of bulk redirects.
${[...lines, ...taken, ...others.map((line) => `# ${line}`)].join('\n')}
`;
}
