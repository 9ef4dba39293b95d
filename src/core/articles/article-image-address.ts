import { isMediaPath } from '../paths.ts';

export interface ImagePolicy {
  readonly siteOrigin: string;
  /** Hosts that images may come from, with the port when it is not the default. */
  readonly imageHosts: readonly string[];
  /** Address of the website that the articles come from, where their relative addresses lead; empty: this site. */
  readonly articleSite: string;
}

/**
 * Builds the address of an image that may be shown: a media file of the site, or https on an allowed host. Returns null
 * for every other path of the site (a browser that loads one as an image would count a click or a visit), for other
 * hosts, other schemes and SVG files of other hosts.
 */
export function buildImageAddress(address: string, policy: ImagePolicy): string | null {
  const { siteOrigin, articleSite, imageHosts } = policy;
  if (address.trim() === '' || !URL.canParse(address, siteOrigin)) return null;
  const own = new URL(address, siteOrigin);
  if (own.origin === siteOrigin && isMediaPath(own.pathname)) return own.pathname;
  const url = articleSite === '' ? own : new URL(address, `${articleSite.replace(/\/+$/, '')}/`);
  if (url.origin === siteOrigin) return null;
  if (url.protocol === 'http:' && url.port === '') url.protocol = 'https:';
  if (url.protocol !== 'https:' || url.username || url.password) return null;
  if (!imageHosts.includes(url.host) || /\.svgz?$/i.test(url.pathname)) return null;
  return url.href;
}

/** Says why an image may not be shown, as the end of a sentence; null when it may. */
export function findImageProblem(address: string, policy: ImagePolicy): string | null {
  if (buildImageAddress(address, policy) !== null) return null;
  if (address.trim() === '' || !URL.canParse(address, policy.articleSite || policy.siteOrigin))
    return 'its address is invalid';
  const { protocol, host, pathname } = new URL(address, policy.articleSite || policy.siteOrigin);
  if (protocol === 'http:' && policy.imageHosts.includes(host)) return 'its host needs https';
  if (/\.svgz?$/i.test(pathname)) return 'SVG files of other hosts are not allowed';
  if (!/^https?:$/.test(protocol)) return `its address begins with ${protocol}`;
  return 'imageHosts of content/site.yaml does not list its host';
}

/** Ends a candidate of a `srcset`: addresses may have commas in them, sizes have none. */
const SEPARATOR = /,\s+|(?<=\s[\d.]{1,9}[wx]),/;

/** Builds a `srcset` of the candidates that may be shown; empty when there are no such candidates. */
export function buildImageSet(srcset: string, policy: ImagePolicy): string {
  const candidates = srcset.split(SEPARATOR).flatMap((candidate) => {
    const [address = '', size = ''] = candidate.trim().split(/\s+/);
    const allowed = buildImageAddress(address, policy);
    return allowed && /^\d{1,5}(?:\.\d+)?[wx]$/.test(size) && !allowed.includes(',')
      ? [`${allowed} ${size}`]
      : [];
  });
  return candidates.join(', ');
}
