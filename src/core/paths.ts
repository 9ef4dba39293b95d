/*
 * Every path of the site, built and matched. No other module writes one out: a path that has a name here can be
 * moved, is reserved against page documents, and is closed to crawlers where it has to be.
 */

export const HOME_PATH = '/';
export const BLOG_PATH = '/blog';
export const ASSESSMENT_PATH = '/assessment';
export const NOT_FOUND_PATH = '/404';
export const ERROR_PATH = '/500';

// Page documents that the site's own copy links to; content without one of them is refused.
export const COMPARISON_PATH = '/feature-comparison';
/** Where the comparison has its prices for the reader's numbers. */
export const PRICES_ANCHOR = 'your-numbers';
export const CONTACT_PATH = '/contact';
export const DISCLOSURE_PATH = '/affiliate-disclosure';
export const PRIVACY_PATH = '/privacy';
export const LINKED_PAGES: readonly string[] = [COMPARISON_PATH, CONTACT_PATH, DISCLOSURE_PATH, PRIVACY_PATH];

export const RSS_PATH = '/rss.xml';
export const ATOM_PATH = '/atom.xml';
export const JSON_FEED_PATH = '/feed.json';
export const ROBOTS_PATH = '/robots.txt';
export const LLMS_PATH = '/llms.txt';
export const WEB_MANIFEST_PATH = '/site.webmanifest';
export const SITEMAP_PATH = '/sitemap.xml';
export const PAGE_SITEMAP_PATH = '/sitemap-pages.xml';
export const ARTICLE_SITEMAP_PATH = '/sitemap-articles.xml';

export const HEALTH_PATH = '/healthz';
export const READY_PATH = '/readyz';
export const EVENTS_API_PATH = '/api/journey';
export const REGION_API_PATH = '/api/region';
/** `POST /api/visit/show` and `/api/visit/delete`: what is stored about a visit, by its session id. */
export const VISIT_API_PATH = '/api/visit';
export const CONTACT_API_PATH = '/api/contact';
/** The script that sites beside this one load. */
export const BESIDE_PATH = '/beside.js';
/** Explains the requests of the link watch to those who see them. */
export const LINK_WATCH_PATH = '/about-link-watch';
/** Takes the form of newsletter sections, and shows it again when something is wrong. */
export const NEWSLETTER_PATH = '/newsletter/sign-up';

const POSTBACK_PREFIX = '/api/postbacks/';
/** Pattern of the paths at which affiliate networks report commissions. */
export const POSTBACK_PATTERN = '/api/postbacks/:partner/:token';

/** The operator's console; everything below it is handled in `src/server/console/`. */
export const CONSOLE_PATH = '/console';
/** Pattern of every path below the console. */
export const CONSOLE_PATTERN = '/console/*';
export const CONSOLE_SIGN_IN_PATH = '/console/sign-in';
export const CONSOLE_SIGN_OUT_PATH = '/console/sign-out';
export const CONSOLE_PASSKEYS_PATH = '/console/passkeys';
const CONSOLE_PREFIX = '/console/';
const SETUP_PREFIX = '/console/setup/';
const SHARE_PREFIX = '/console/share/';

const AUTHORS_PREFIX = '/authors/';
/** Where redirects to partners begin. */
export const REDIRECT_PREFIX = '/go/';
/** Where the images are that other sites show for a link. */
export const SHARING_IMAGE_PREFIX = '/og/';
/** Files of the build whose names carry a hash of their content. */
const ASSETS_PREFIX = '/_astro/';
/** Images of the content folder, with a hash of their content in their names. */
export const IMAGES_PREFIX = '/images/';

/** Whether a path is that of an image file: loading it has no effect but its bytes. */
export function isMediaPath(path: string): boolean {
  const isMedia = [IMAGES_PREFIX, SHARING_IMAGE_PREFIX, ASSETS_PREFIX].some((prefix) =>
    path.startsWith(prefix),
  );
  return isMedia && /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(path);
}

/** Beginnings of the paths that are no pages: crawlers stay out of them, and browsers load none of them ahead. */
export const CLOSED_PREFIXES = [REDIRECT_PREFIX, '/api/', '/functions/', CONSOLE_PREFIX] as const;

/** The paths of the site itself that are there whatever the content says, and that pages can link to. */
export const FIXED_PATHS: readonly string[] = [
  HOME_PATH,
  BLOG_PATH,
  ASSESSMENT_PATH,
  CONSOLE_PATH,
  RSS_PATH,
  ATOM_PATH,
  JSON_FEED_PATH,
  ROBOTS_PATH,
  LLMS_PATH,
  WEB_MANIFEST_PATH,
  SITEMAP_PATH,
  PAGE_SITEMAP_PATH,
  ARTICLE_SITEMAP_PATH,
  LINK_WATCH_PATH,
  BESIDE_PATH,
];

/** Whether the site itself responds at a path or below it, so that no page document can have it. */
export function isReservedPath(path: string): boolean {
  const paths = [...FIXED_PATHS, NOT_FOUND_PATH, ERROR_PATH, HEALTH_PATH, READY_PATH, NEWSLETTER_PATH];
  const prefixes = [
    ...CLOSED_PREFIXES,
    AUTHORS_PREFIX,
    SHARING_IMAGE_PREFIX,
    IMAGES_PREFIX,
    `${BLOG_PATH}/`,
    ASSETS_PREFIX,
  ];
  return paths.includes(path) || prefixes.some((prefix) => `${path}/`.startsWith(prefix));
}

/**
 * Whether a path can be that of a former site: the site itself has nothing there, or only what content gives it, such as
 * an article or a partner.
 */
export function isFormerPath(path: string): boolean {
  if (!isReservedPath(path)) return true;
  const isBelow = (prefix: string) => path.startsWith(prefix);
  return [REDIRECT_PREFIX, AUTHORS_PREFIX, `${BLOG_PATH}/`].some(isBelow) && !isGroupPath(path);
}

/** The path of a page document, from its file name without ending. */
export function buildPagePath(name: string): string {
  return `/${name}`;
}

export function buildAuthorPath(key: string): string {
  return AUTHORS_PREFIX + key;
}

/** The path of a new article, at which it is rendered and that others of the site know it by; see `buildArticlePath`. */
export function buildDefaultPath(slug: string): string {
  return `${BLOG_PATH}/${encodeURIComponent(slug)}`;
}

/** The path at which visitors read an article: its own address, or the default one. Every link to an article has it. */
export function buildArticlePath(article: {
  readonly slug: string;
  readonly address?: string | undefined;
}): string {
  return article.address ?? buildDefaultPath(article.slug);
}

/** Whether a path belongs to an article, a topic or a tag. */
export function isBelowBlog(path: string): boolean {
  return path.startsWith(`${BLOG_PATH}/`);
}

/** The path of the articles of a topic (category) or a tag; `slug` as `buildSlug` makes it. */
export function buildGroupPath(kind: 'topic' | 'tag', slug: string): string {
  return `${BLOG_PATH}/${kind}/${encodeURIComponent(slug)}`;
}

/** Whether a path belongs to a topic or a tag. */
export function isGroupPath(path: string): boolean {
  return path.startsWith(`${BLOG_PATH}/topic/`) || path.startsWith(`${BLOG_PATH}/tag/`);
}

export function buildRedirectPath(partnerKey: string): string {
  return REDIRECT_PREFIX + encodeURIComponent(partnerKey);
}

/** The partner key of a redirect path, of a partner or not; null for any other path. */
export function parseRedirectPath(path: string): string | null {
  return path.startsWith(REDIRECT_PREFIX) ? path.slice(REDIRECT_PREFIX.length) : null;
}

/** The path at which a network reports the commissions of a partner; the token is the secret that allows it. */
export function buildPostbackPath(partnerKey: string, token: string): string {
  return `${POSTBACK_PREFIX}${encodeURIComponent(partnerKey)}/${token}`;
}

/**
 * A path as logs may show it: without the token of a postback, a setup address or a share link, in whatever spelling a
 * client has sent it.
 */
export function hideSecrets(path: string): string {
  const plain = path
    .toLowerCase()
    .replace(/%[0-9a-f]{2}/g, decodeCharacter)
    .replace(/\/{2,}/g, '/');
  const prefix = [POSTBACK_PREFIX, SETUP_PREFIX, SHARE_PREFIX].find((secret) => plain.startsWith(secret));
  return prefix === undefined ? path : `${prefix}…`;
}

const decodeCharacter = (code: string) =>
  String.fromCharCode(Number.parseInt(code.slice(1), 16)).toLowerCase();

/** The path of a view of the console, or of something in it: `pages`, `commissions` with partner and id. */
export function buildConsolePath(segment: string, ...rest: readonly string[]): string {
  const parts = [segment, ...rest].filter((part) => part !== '').map(encodeURIComponent);
  return [CONSOLE_PATH, ...parts].join('/');
}

/** The one-time address at which a person sets a password; the token is the secret that allows it. */
export function buildSetupPath(token: string): string {
  return SETUP_PREFIX + token;
}

/** The address of a shared view; the token is the secret that allows it. */
export function buildSharePath(token: string): string {
  return SHARE_PREFIX + token;
}

/** The decoded parts of a path below the console, `[]` for the console itself; null for any other path. */
export function parseConsolePath(path: string): readonly string[] | null {
  if (path === CONSOLE_PATH) return [];
  if (!path.startsWith(CONSOLE_PREFIX) || parsePath(path) !== path) return null;
  const parts = path.slice(CONSOLE_PREFIX.length).split('/').map(decodeURIComponent);
  return parts.includes('') ? null : parts;
}

/** The path of an article proxy endpoint; `service` is the slug of the article service's name. */
export function buildArticleProxyPath(service: string, name: 'proxy' | 'cdn-proxy'): string {
  return `/functions/${service}-${name}`;
}

/** The Open Graph image of pages that have none of their own. */
export const DEFAULT_SHARING_IMAGE = '/og/default.png';

/** The path of the Open Graph image that the build draws for a page: `/template` → `/og/template.png`. */
export function buildSharingImagePath(path: string): string {
  return `${SHARING_IMAGE_PREFIX}${path === HOME_PATH ? 'home' : path.slice(1)}.png`;
}

/**
 * Names content files in a text as they are called on the machine: with the content folder `./my/content`,
 * `content/site.yaml` is `my/content/site.yaml`.
 */
export function nameContentFiles(text: string, folder = './content'): string {
  const name = folder.replace(/^\.\//, '').replace(/\/+$/, '');
  return text.replace(/(?<![\w./-])content\/(?=\w)/g, () => `${name}/`);
}

/** Adds parameters to a path with or without a query; those without a value are left out. */
export function buildAddress(
  address: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const [path = '', given] = address.split('?', 2);
  const query = new URLSearchParams(given);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * Parses a path into the form that the site writes: no needless percent-encoding. Null for a path with double slashes,
 * backslashes, control characters or dot segments.
 */
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
  return normalizeEncoding(raw);
}

const MAX_ADDRESS_LENGTH = 512;

/**
 * Parses the address that a piece has of its own into the form that links have: percent-encoded, in Unicode's composed form,
 * with or without a slash at its end as it is written. Null for what is no path of a page: the front page, a query, double
 * slashes, dot segments, or more than 512 characters.
 */
export function parseAddress(text: string): string | null {
  if (/[?#]/.test(text)) return null;
  // Decoded, a slash or a question mark within a part would be another one.
  if (/%(?:2f|3f|23|25)/i.test(text)) return null;
  let encoded: string;
  try {
    encoded = encodeURI(decodeURIComponent(text.toWellFormed().trim()).normalize());
  } catch {
    return null;
  }
  const path = parsePath(encoded);
  return path === null || path === HOME_PATH || path.startsWith('/_') || path.length > MAX_ADDRESS_LENGTH
    ? null
    : path;
}

/** An address without a slash at its end, as requests are looked up. */
export const trimAddress = (address: string): string => address.replace(/(.)\/$/, '$1');

/**
 * Decodes what need not be encoded, writes the other codes in capitals, and encodes what browsers do, so that a page has one
 * address (https://url.spec.whatwg.org/#path-percent-encode-set).
 */
function normalizeEncoding(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
    })
    .replace(/[ "<>^`{}]/g, encodeURIComponent);
}

/**
 * The address that a request probably means, as links write it, with the query that was joined to its path: programs and people
 * add punctuation and invisible characters to an address, double its slashes, escape its `?` or write `&` for it, and type
 * capitals. Null for what is no path at all.
 */
export function tidyAddress(requested: string): { readonly path: string; readonly query: string } | null {
  if (requested.length > MAX_ADDRESS_LENGTH) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(requested);
  } catch {
    return null;
  }
  const [, written = '', query = ''] = /^([^?&#]*)[?&]?(?:amp;)*([^#]*)/.exec(decoded) ?? [];
  const plain = written.replace(/\p{Cf}/gu, '').replace(/\s*\/[\s/]*/g, '/');
  const path = parsePath(
    encodeURI(
      plain
        .replace(/[\p{P}\p{S}\p{Z}]+$/u, '')
        .toLowerCase()
        .normalize(),
    ),
  );
  return path === null ? null : { path, query };
}
