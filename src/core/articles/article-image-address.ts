/**
 * Builds the address of a picture that may be shown: a path of the site, or https on a listed host.
 * null for everything else: other hosts, other schemes, vector files of other hosts.
 */
export function buildImageAddress(
  address: string,
  policy: { readonly siteOrigin: string; readonly imageHosts: readonly string[] },
): string | null {
  if (address.trim() === '' || !URL.canParse(address, policy.siteOrigin)) return null;
  const url = new URL(address, policy.siteOrigin);
  if (url.origin === policy.siteOrigin) return url.pathname + url.search;
  if (url.protocol === 'http:' && url.port === '') url.protocol = 'https:';
  if (url.protocol !== 'https:' || url.username || url.password) return null;
  if (!policy.imageHosts.includes(url.host) || /\.svgz?$/i.test(url.pathname)) return null;
  return url.href;
}

/** Builds a `srcset` of the candidates that may be shown; empty when none may. */
export function buildImageSet(
  srcset: string,
  policy: { readonly siteOrigin: string; readonly imageHosts: readonly string[] },
): string {
  const candidates = srcset.split(/,\s+/).flatMap((candidate) => {
    const [address = '', size = ''] = candidate.trim().split(/\s+/);
    const allowed = buildImageAddress(address, policy);
    return allowed && /^\d{1,5}(?:\.\d+)?[wx]$/.test(size) && !allowed.includes(',')
      ? [`${allowed} ${size}`]
      : [];
  });
  return candidates.join(', ');
}
