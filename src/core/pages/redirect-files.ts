/** A permanent redirect: a path, alone or with a query, and a path or web address. */
export type RedirectPair = readonly [from: string, to: string];

const HEAD = 'Permanent redirects, written by "npm run export".';

/** A path and the same with a slash at its end; with a query, the address alone. */
const listSpellings = (from: string) =>
  from.includes('?') || from.endsWith('/') ? [from] : [from, `${from}/`];

/** `$` begins a variable in nginx, also in quotes. */
const quoteNginx = (text: string) =>
  `"${text.replaceAll('\\', '%5C').replaceAll('"', '%22').replaceAll('$', '%24')}"`;

/** Writes a `map` for nginx. It belongs into the `http` block; the `server` block needs the two lines of its comment. */
export function buildNginxRedirects(pairs: readonly RedirectPair[]): string {
  const lines = pairs.flatMap(([from, to]) =>
    listSpellings(from).map((spelling) => `  ${quoteNginx(spelling)} ${quoteNginx(to)};`),
  );
  return `# ${HEAD}
# Include this file in the http block, and add to the server block:
#   if ($moved_to) { return 301 $moved_to; }
map_hash_max_size 262144;
map_hash_bucket_size 4096;
map $request_uri $moved_to {
  default "";
${lines.join('\n')}
}
`;
}

/** Writes rules of mod_rewrite for a virtual host or an `.htaccess`. They compare the address as the client sent it. */
export function buildApacheRedirects(pairs: readonly RedirectPair[]): string {
  const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\"]/g, '\\$&');
  const rules = pairs.map(([from, to]) => {
    const end = from.includes('?') ? String.raw`\ ` : String.raw`/?(\?[^\ ]*)?\ `;
    // In a target, % and $ refer to what was matched.
    const target = to.replace(/[\\"]/g, encodeURIComponent).replace(/[%$]/g, '\\$&');
    return `RewriteCond %{THE_REQUEST} "^[A-Z]+\\ ${escapePattern(from)}${end}"\nRewriteRule ^ "${target}" [R=301,NE,QSD,L]`;
  });
  return `# ${HEAD}\nRewriteEngine On\n${rules.join('\n')}\n`;
}

/** Writes directives for a site block of Caddy, which compares decoded paths. */
export function buildCaddyRedirects(pairs: readonly RedirectPair[]): string {
  const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replace(/[{}]/g, encodeURIComponent)}"`;
  const rules = pairs.map(([from, to], index) => {
    const [path = '', query] = from.split('?', 2);
    const paths = listSpellings(path).map((spelling) => quote(decode(spelling).replace(/\*/g, '\\*')));
    const parameters = query === undefined ? [] : [...new URLSearchParams(query)];
    const matchers = [
      `path ${paths.join(' ')}`,
      ...parameters.map(([name, value]) => `query ${quote(`${name}=${value}`)}`),
    ];
    // The target has a literal percent sign, which is no placeholder.
    return `@moved${index} {\n  ${matchers.join('\n  ')}\n}\nredir @moved${index} ${quote(to)} permanent`;
  });
  const byQuery = (text: string) => (text.includes('\n  query ') ? 0 : 1);
  return `# ${HEAD}\n${rules.sort((one, other) => byQuery(one) - byQuery(other)).join('\n')}\n`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Writes a `_redirects` file of Cloudflare Pages. It knows no queries: those redirects are comments. */
export function buildCloudflareRedirects(pairs: readonly RedirectPair[]): string {
  const lines = pairs.flatMap(([from, to]) =>
    from.includes('?')
      ? [`# ${from} ${to} (a query: add it as a redirect rule)`]
      : listSpellings(from).map((spelling) => `${spelling} ${to} 301`),
  );
  return `# ${HEAD}\n${lines.join('\n')}\n`;
}
