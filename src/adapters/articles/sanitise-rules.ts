import type { Attributes, IFrame, Transformer } from 'sanitize-html';
import { buildImageAddress, buildImageSet } from '../../core/articles/article-image-address.ts';
import { buildArticleLink, buildFragment, type LinkPolicy } from '../../core/articles/article-link.ts';

/** What may stand in an article, beyond its tags. */
export interface SanitisePolicy extends LinkPolicy {
  /** Hosts (with port, when unusual) that pictures may come from. */
  readonly imageHosts: readonly string[];
}

/** Builds what becomes of each tag that needs more than the allow list. */
export function buildTransforms(policy: SanitisePolicy): Record<string, Transformer> {
  return {
    '*': (tagName, attributes) => ({ tagName, attribs: checkGlobals(attributes) }),
    h1: (_, attributes) => ({ tagName: 'h2', attribs: attributes }),
    a: (tagName, attributes) => ({ tagName, attribs: transformLink(attributes, policy) }),
    img: (tagName, attributes) => ({ tagName, attribs: transformImage(attributes, policy) }),
    iframe: (_, attributes) => ({ tagName: 'figure', attribs: transformFrame(attributes) }),
    figure: (tagName, attributes) => ({ tagName, attribs: keepVideo(attributes) }),
  };
}

const NO_VIDEO = 'none';

/**
 * What goes although its tag is allowed: true with its content, `excludeTag` without. Tags are dropped here and
 * not by a transform to a forbidden name, after which sanitize-html 2.17 closes a later element by that name.
 */
export function excludeTag({ tag, attribs }: IFrame): boolean | 'excludeTag' {
  if (attribs['data-video'] === NO_VIDEO || (tag === 'img' && !attribs['src'])) return true;
  const isBareLink = tag === 'a' && !attribs['href'] && !attribs['id'];
  const isOwnWrapper = tag === 'div' && attribs['class'] === 'table-scroll';
  return isBareLink || isOwnWrapper ? 'excludeTag' : false;
}

function checkGlobals({ id, dir, ...others }: Attributes): Attributes {
  const own = id === undefined ? '' : buildFragment(id);
  const direction = dir !== undefined && /^(ltr|rtl|auto)$/.test(dir);
  return { ...others, ...(direction && { dir }), ...(own && { id: own }) };
}

function transformLink(attributes: Attributes, policy: LinkPolicy): Attributes {
  const link = buildArticleLink(attributes['href'] ?? '', policy);
  const id = attributes['id'] ?? attributes['name'];
  const title = link && attributes['title'];
  return { ...link, ...(title && { title }), ...(id !== undefined && { id }) };
}

function transformImage(attributes: Attributes, policy: SanitisePolicy): Attributes {
  const src = buildImageAddress(attributes['src'] ?? '', policy);
  const width = readPixels(attributes['width']);
  const height = readPixels(attributes['height']);
  const isBeacon = width !== null && height !== null && width <= 2 && height <= 2;
  if (!src || isBeacon) return {};
  const srcset = buildImageSet(attributes['srcset'] ?? '', policy);
  const sized: Attributes =
    width && height ? { width: String(width), height: String(height) } : { class: 'unsized' };
  return {
    src,
    ...(srcset && { srcset, sizes: 'auto, (min-width: 48rem) 44rem, 100vw' }),
    alt: attributes['alt'] ?? '',
    ...(attributes['title'] && { title: attributes['title'] }),
    ...sized,
    loading: 'lazy',
    decoding: 'async',
  };
}

const VIDEO_ID = /^[\w-]{11}$/;
const VIDEO_HOSTS = ['www.youtube.com', 'youtube.com', 'www.youtube-nocookie.com', 'm.youtube.com'];

function transformFrame(attributes: Attributes): Attributes {
  const src = attributes['src'] ?? '';
  const url = URL.canParse(src, 'https://x.invalid') ? new URL(src, 'https://x.invalid') : null;
  const id = url && VIDEO_HOSTS.includes(url.hostname) && /^\/embed\/([\w-]{11})$/.exec(url.pathname)?.[1];
  return { 'data-video': id || NO_VIDEO, title: attributes['title'] || 'Watch the video on YouTube' };
}

function keepVideo(attributes: Attributes): Attributes {
  const id = attributes['data-video'] ?? '';
  const { 'data-video': _, title: __, ...others } = attributes;
  return VIDEO_ID.test(id) ? { ...others, 'data-video': id } : others;
}

function readPixels(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : null;
}
