import { createHash } from 'node:crypto';

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=(), ' +
    'autoplay=(self "https://www.youtube-nocookie.com"), fullscreen=(self "https://www.youtube-nocookie.com"), ' +
    'encrypted-media=("https://www.youtube-nocookie.com"), picture-in-picture=("https://www.youtube-nocookie.com"), ' +
    'clipboard-write=(self)',
} as const;

const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What the policy of a page opens beyond this site, from the settings. */
export interface PolicyOpenings {
  /** Served over TLS: demand it for the future and for every request of the page. */
  readonly https: boolean;
  readonly imageHosts: readonly string[];
  /** Sources of the analytics tag, or null when none is set. */
  readonly analytics: { readonly script: string; readonly img: string; readonly connect: string } | null;
}

/** Hashes of what the build puts inline into pages, as `sha256-…`. */
export interface PageHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The hash under which a policy lets one inline script or style apply. */
export function hashInline(text: string | Uint8Array): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Builds the headers for each kind of answer, once. */
export function createSecurityHeaders(openings: PolicyOpenings, hashes: PageHashes) {
  const fixed: Record<string, string> = openings.https
    ? { ...EVERYWHERE, 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
    : { ...EVERYWHERE };
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
  const page = { ...fixed, 'cross-origin-resource-policy': 'same-site' };
  const pages = new Map<string, Readonly<Record<string, string>>>();
  const buildPage = (allowed: PageHashes): Readonly<Record<string, string>> => ({
    ...page,
    'content-security-policy': buildPagePolicy(allowed, openings),
  });
  const anyPage = buildPage(hashes);
  return {
    api: api as Readonly<Record<string, string>>,
    file: file as Readonly<Record<string, string>>,
    /** Headers of answers that bring a policy of their own (the redirect page). */
    bare: page as Readonly<Record<string, string>>,
    /** Of a page that may carry any of the build's styles. */
    page: anyPage,
    /** Of a page that carries this one style, as little as it needs; of any page when the build has no such style. */
    pageWith(style: string): Readonly<Record<string, string>> {
      if (!hashes.styles.includes(style)) return anyPage;
      const known = pages.get(style) ?? buildPage({ ...hashes, styles: [style] });
      pages.set(style, known);
      return known;
    },
  };
}

export type SecurityHeaders = ReturnType<typeof createSecurityHeaders>;

function buildPagePolicy(
  { scripts, styles }: PageHashes,
  { https, imageHosts, analytics }: PolicyOpenings,
): string {
  const quote = (list: readonly string[]) => list.map((hash) => ` '${hash}'`).join('');
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
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
