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

/**
 * Builds the headers for one kind of answer. `pagePolicy` is the policy that the renderer made of the page's own
 * script and style hashes; only its script and style sources are taken over.
 */
export function createSecurityHeaders(openings: PolicyOpenings) {
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
  return {
    api: api as Readonly<Record<string, string>>,
    file: file as Readonly<Record<string, string>>,
    /** Headers of answers that bring a policy of their own (the redirect page). */
    bare: page as Readonly<Record<string, string>>,
    page: (pagePolicy: string | null): Readonly<Record<string, string>> => ({
      ...page,
      'content-security-policy': buildPagePolicy(pagePolicy ?? '', openings),
    }),
  };
}

export type SecurityHeaders = ReturnType<typeof createSecurityHeaders>;

function buildPagePolicy(rendered: string, { https, imageHosts, analytics }: PolicyOpenings): string {
  const hosts = imageHosts.map((host) => ` https://${host}`).join('');
  return [
    "default-src 'none'",
    `script-src 'self'${readHashes(rendered, 'script-src')}${analytics ? ` ${analytics.script}` : ''}`,
    "script-src-attr 'none'",
    `style-src 'self'${readHashes(rendered, 'style-src')}`,
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

function readHashes(policy: string, directive: string): string {
  const found = policy.split(';').find((part) => part.trim().startsWith(`${directive} `)) ?? '';
  return (found.match(/'sha(256|384|512)-[A-Za-z0-9+/=]+'/g) ?? []).map((hash) => ` ${hash}`).join('');
}
