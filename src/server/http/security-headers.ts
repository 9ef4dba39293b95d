import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  // What a video may do in its frame is in the frame's `allow`; which frames there are is in the content policy.
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
} as const;

const CONSOLE_PERMISSIONS =
  'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=(), clipboard-write=(self), ' +
  'publickey-credentials-create=(self), publickey-credentials-get=(self)';

const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The values of the setting `HSTS`. */
export const HSTS_CHOICES = ['off', 'day', 'year', 'year-subdomains', 'preload'] as const;
type Hsts = (typeof HSTS_CHOICES)[number];

/**
 * What `HSTS` makes browsers do: use https for so long, whatever the site does meanwhile. A day can be taken back, a year
 * cannot; `preload` is what the lists in browsers ask for. `off` takes back what browsers remember.
 */
const HSTS: Readonly<Record<Hsts, string>> = {
  off: 'max-age=0',
  day: 'max-age=86400',
  year: 'max-age=31536000',
  'year-subdomains': 'max-age=31536000; includeSubDomains',
  preload: 'max-age=31536000; includeSubDomains; preload',
};

/** Sources beyond this site that the policy of a page allows, from the settings. */
export interface CspSources {
  /** How long browsers use https for every request; null: the site is served without TLS. */
  readonly hsts: Hsts | null;
  /** The content can change them. */
  readonly imageHosts: readonly string[];
  /** Sources of the analytics tag, or null when none is set. */
  readonly analytics: { readonly script: string; readonly img: string; readonly connect: string } | null;
}

/**
 * What the page policy opens for Google's tag, when one is set and only then. Source: Google's guide to content
 * security policies for the tag, as of 2026-11.
 */
export const ANALYTICS_POLICY = {
  script: 'https://*.googletagmanager.com',
  img: 'https://*.google-analytics.com https://*.googletagmanager.com',
  connect: 'https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com',
} as const satisfies CspSources['analytics'];

/** Hashes of the scripts and styles that the build and the renderer put inline into pages, as `sha256-…`. */
export interface PageHashes {
  readonly scripts: readonly string[];
  /** Each page has a selection of the styles, so there is no list of them all. */
  readonly styles: { readonly has: ReadonlySet<string>['has'] };
  /** The script of `/beside.js`, which belongs into no page of this site. */
  readonly beside: string;
}

/** Hashes that a page may have. */
interface AllowedHashes {
  readonly styles: PageHashes['styles'];
  readonly scripts: ReadonlySet<string>;
}

/** Policies, and texts of inline elements with their hashes, in memory. */
const MAX_KNOWN = 512;

/** Tags of elements whose content a policy has to allow: inline styles, and inline scripts that run. */
const INLINE_TAG = /<(style|script)(?![^>]* src=|[^>]*application\/ld\+json)[^>]*>/g;

/** The hash under which a policy lets one inline script or style apply. */
export function hashInline(text: string | Uint8Array): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Builds the headers of each kind of response, once. */
export function createSecurityHeaders(sources: CspSources, hashes: AllowedHashes) {
  const fixed: Record<string, string> =
    sources.hsts === null
      ? { ...EVERYWHERE }
      : { ...EVERYWHERE, 'strict-transport-security': HSTS[sources.hsts] };
  const api = {
    ...fixed,
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': API_POLICY,
  };
  const file = {
    ...fixed,
    'cross-origin-resource-policy': 'same-site',
    'content-security-policy': API_POLICY,
  };
  const page: Readonly<Record<string, string>> = { ...fixed, 'cross-origin-resource-policy': 'same-site' };
  const pages = new LRUCache<string, Readonly<Record<string, string>>>({ max: MAX_KNOWN });
  const findHashes = createHashFinder(hashes);
  return {
    /** Headers of every response that does not bring others itself. */
    api: api as Readonly<Record<string, string>>,
    file: file as Readonly<Record<string, string>>,
    /** Headers of a page: its policy allows those of its inline scripts and styles that the build has hashed. */
    page(html: Buffer): Readonly<Record<string, string>> {
      const { scripts, styles } = findHashes(html);
      // Only hashes of the build and hosts of the content are part of the key, so that no content of a page can make the map grow.
      const key = [...scripts, ...styles, ...sources.imageHosts].join();
      const headers = pages.get(key) ?? {
        ...page,
        'content-security-policy': buildPagePolicy({ scripts, styles }, sources),
      };
      pages.set(key, headers);
      return headers;
    },
    /** Headers of a page of the operator's console: nothing from elsewhere, no script that makes code from text. */
    console(html: Buffer): Readonly<Record<string, string>> {
      return {
        ...page,
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': CONSOLE_PERMISSIONS,
        'content-security-policy': buildConsolePolicy(findHashes(html), sources),
      };
    },
    /**
     * Headers of a page of the site as a preview in the console: a sandbox without an origin, so that no cookie and no other
     * page can be reached, without forms, and without scripts but that with the hash `script` (`sha256-…`).
     */
    preview(html: Buffer, script: string): Readonly<Record<string, string>> {
      const { styles } = findHashes(html);
      return {
        ...page,
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'content-security-policy': buildPreviewPolicy({ scripts: [script], styles }, sources),
      };
    },
  };
}

interface FoundHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Creates a function that finds the hashes of a page's inline elements, those of the build alone. */
function createHashFinder(hashes: AllowedHashes): (html: Buffer) => FoundHashes {
  const allowed = { script: hashes.scripts, style: hashes.styles };
  // Hashes of the build by their text, so that the styles of a page are not hashed for each rendering.
  const known = new LRUCache<string, string>({ max: MAX_KNOWN });
  const hash = (text: string, kind: 'script' | 'style') => {
    const bytes = known.has(text) ? null : Buffer.from(text, 'latin1');
    const found = bytes === null ? known.get(text) : hashInline(bytes);
    if (found === undefined || !allowed[kind].has(found)) return null;
    // A copy: a part of the page's text would keep the whole page in memory.
    if (bytes !== null) known.set(bytes.toString('latin1'), found);
    return found;
  };
  return (html) => {
    // Each byte as one character: the fastest text to search, and its bytes are those of the page.
    const page = html.toString('latin1');
    const found = { scripts: [] as string[], styles: [] as string[] };
    const tags = new RegExp(INLINE_TAG);
    for (let match = tags.exec(page); match !== null; match = tags.exec(page)) {
      const kind = match[1] === 'style' ? 'style' : 'script';
      const end = page.indexOf(`</${kind}>`, tags.lastIndex);
      if (end < 0) continue;
      const allowedHash = hash(page.slice(tags.lastIndex, end), kind);
      if (allowedHash !== null) found[`${kind}s`].push(allowedHash);
      // The content of the element may look like a tag.
      tags.lastIndex = end;
    }
    return found;
  };
}

export type SecurityHeaders = ReturnType<typeof createSecurityHeaders>;

const quote = (list: readonly string[]) => list.map((hash) => ` '${hash}'`).join('');

function buildConsolePolicy({ scripts, styles }: FoundHashes, { hsts }: CspSources): string {
  return [
    "default-src 'none'",
    `script-src 'self'${quote(scripts)}`,
    "script-src-attr 'none'",
    `style-src 'self'${quote(styles)}`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // A preview of content, which has a sandbox of its own.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(hsts !== null ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

function buildPreviewPolicy({ scripts, styles }: FoundHashes, { hsts, imageHosts }: CspSources): string {
  const hosts = imageHosts.map((host) => ` https://${host}`).join('');
  return [
    "default-src 'none'",
    'sandbox allow-scripts',
    `script-src${quote(scripts)}`,
    "script-src-attr 'none'",
    `style-src 'self'${quote(styles)}`,
    "style-src-attr 'none'",
    `img-src 'self' data: https://i.ytimg.com${hosts}`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(hsts !== null ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

function buildPagePolicy(
  { scripts, styles }: FoundHashes,
  { hsts, imageHosts, analytics }: CspSources,
): string {
  const hosts = imageHosts.map((host) => ` https://${host}`).join('');
  return [
    "default-src 'none'",
    `script-src 'self'${quote(scripts)}${analytics ? ` ${analytics.script}` : ''}`,
    "script-src-attr 'none'",
    `style-src 'self'${quote(styles)}`,
    "style-src-attr 'none'",
    `img-src 'self' data: https://i.ytimg.com${hosts}${analytics ? ` ${analytics.img}` : ''}`,
    "font-src 'self'",
    `connect-src 'self'${analytics ? ` ${analytics.connect}` : ''}`,
    'frame-src https://www.youtube-nocookie.com',
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(analytics ? [] : ["require-trusted-types-for 'script'"]),
    ...(hsts !== null ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** Adds the security headers that a response does not bring itself. */
export function secureResponse(
  response: Response,
  { api }: { readonly api: SecurityHeaders['api'] },
): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(api)) if (!headers.has(name)) headers.set(name, value);
  return response;
}
