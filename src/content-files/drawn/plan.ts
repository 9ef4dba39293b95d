import { hash } from 'node:crypto';
import type { ArticleSummary } from '../../core/articles/article.ts';
import type { Content } from '../../core/pages/content.ts';
import {
  type ContentImage,
  FALLBACK_CARD_IMAGE,
  type FocalPoint,
  findContentImage,
  listPageImages,
} from '../../core/pages/images/content-image.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import {
  ASSESSMENT_PATH,
  BLOG_PATH,
  buildDefaultPath,
  buildSharingImagePath,
  DEFAULT_SHARING_IMAGE,
  HOME_PATH,
} from '../../core/paths.ts';

/** An image of the content folder that is drawn into another one. */
export interface DrawnImage {
  /** Path below `content/images/`. */
  readonly path: string;
  /** Path of the site, which has the hash of its content. */
  readonly src: string;
  readonly focus?: FocalPoint | undefined;
}

/** Everything that a drawn file shows. */
export type FileDrawing =
  | {
      readonly kind: 'card';
      readonly title: string;
      /** Topic, at the upper right; may be empty. */
      readonly kicker: string;
      readonly image: DrawnImage | null;
      /** A figure in the place of the image. */
      readonly figure: Page['sharing'];
      readonly site: {
        readonly name: string;
        /** Colors such as `#2454b3`; left out: the shipped ones. */
        readonly accent?: string | undefined;
        readonly ground?: string | undefined;
        readonly logo: DrawnImage | null;
      };
      /** The file of the brand's own heading font; null: the shipped one. */
      readonly font: string | null;
    }
  | { readonly kind: 'cover'; readonly image: DrawnImage }
  | {
      readonly kind: 'icon';
      /** One of `ICONS`. */
      readonly name: string;
      readonly accent?: string | undefined;
      readonly ground?: string | undefined;
      readonly favicon: DrawnImage | null;
    };

/** A file that is drawn for a site. */
export interface PlannedFile {
  /** The address without a hash, at which programs ask that read no page: `/og/home.png`. */
  readonly plain: string;
  /** The address with a hash of what it shows: `/og/home.0123456789.png`. */
  readonly address: string;
  readonly drawing: FileDrawing;
}

/** What the content says of the sharing image of an article. */
export type DrawnArticle = Pick<ArticleSummary, 'slug' | 'title' | 'categories' | 'featuredImage'>;

/** Changes when the same drawing shall give another file. */
const RECIPE = 'drawn 1';

/** Share of the side that stays empty around the mark. Launchers crop a maskable icon to a circle of 80 %. */
export const ICONS = [
  // What programs ask for without reading the page.
  { name: 'favicon.ico', size: 48, inset: 0.1 },
  { name: 'apple-touch-icon.png', size: 180, inset: 0.2 },
  { name: 'apple-touch-icon-precomposed.png', size: 180, inset: 0.2 },
  { name: 'icons/maskable-192.png', size: 192, inset: 0.19 },
  { name: 'icons/maskable-512.png', size: 512, inset: 0.19 },
] as const;

/** A hash of what a file is made of, as it is in the addresses of images. */
export const hashDrawn = (source: string | Buffer): string => hash('sha256', source, 'hex').slice(0, 10);

/** Lists the sharing images and icons of a site. `font`: the file of the brand's own heading font. */
export function planDrawn(
  content: Pick<Content, 'site' | 'pages' | 'assessment' | 'brand' | 'images'>,
  articles: readonly DrawnArticle[],
  font: string | null,
): readonly PlannedFile[] {
  const { site, pages, assessment, brand, images } = content;
  const { accent, ground } = brand.colors;
  const paths = new Map([...images.images].map(([path, { src }]) => [src, path]));
  const find = (reference: string | undefined, focus?: FocalPoint): DrawnImage | null => {
    const found = reference === undefined ? null : findContentImage(reference, images);
    return found !== null && 'image' in found ? name(found.image, focus) : null;
  };
  const name = ({ src }: Pick<ContentImage, 'src'>, focus?: FocalPoint): DrawnImage | null => {
    const path = paths.get(src);
    return path === undefined ? null : { path, src, focus };
  };
  const fallback = find(`../images/${FALLBACK_CARD_IMAGE}`);
  const shownSite = { name: site.name, accent, ground, logo: find(brand.logo?.src) };
  const card = (
    plain: string,
    title: string,
    kicker: string,
    image = fallback,
    figure?: Page['sharing'],
  ): PlannedFile =>
    plan(plain, { kind: 'card', title, kicker, image: figure ? null : image, figure, site: shownSite, font });
  const cover = find(brand.socialImage);
  const home = (plain: string) =>
    cover === null ? card(plain, site.tagline, '') : plan(plain, { kind: 'cover', image: cover });
  const favicon = find(brand.favicon);
  const hasIcons = favicon !== null || accent !== undefined;
  return [
    ...(hasIcons ? ICONS : []).map((icon) =>
      plan(`/${icon.name}`, { kind: 'icon', name: icon.name, accent, ground, favicon }),
    ),
    home(DEFAULT_SHARING_IMAGE),
    home(buildSharingImagePath(HOME_PATH)),
    card(buildSharingImagePath(BLOG_PATH), site.blog.title, 'Articles'),
    card(buildSharingImagePath(ASSESSMENT_PATH), assessment.copy.intro.headline, assessment.copy.title),
    ...[...pages].map(([route, page]) => {
      const [image] = listPageImages(page);
      const shown = image && (find(image.src, image.focus) ?? undefined);
      return card(buildSharingImagePath(route), page.title, page.kicker ?? '', shown, page.sharing);
    }),
    ...articles.flatMap(({ slug, title, categories, featuredImage }) => {
      const image = featuredImage && name(featuredImage, featuredImage.focus);
      const plain = buildSharingImagePath(buildDefaultPath(slug));
      return image ? [card(plain, title, categories[0] ?? '', image)] : [];
    }),
  ];
}

function plan(plain: string, drawing: FileDrawing): PlannedFile {
  const address = plain.replace(/(?=\.\w+$)/, `.${hashDrawn(RECIPE + JSON.stringify(drawing))}`);
  return { plain, address, drawing };
}

const DRAWN = /^\/(?:(?:og|icons|fonts)\/.+|[^/]+)\.[0-9a-f]{10}\.(?:png|ico|woff2)$/;

/** The name of the file of a drawn address in the folder of a running site; '' for another address. */
export const nameDrawn = (address: string): string =>
  DRAWN.test(address) ? `drawn-${address.slice(address.lastIndexOf('/') + 1)}` : '';
