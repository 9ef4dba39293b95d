import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { buildPageOutline } from '../../core/pages/page-outline.ts';
import { buildArticlePath, buildRedirectPath } from '../../core/paths.ts';
import type { Product } from '../../core/products/product.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildFileAddress } from './file-address.ts';

/** Something that can be put into a text: `value` is what the text gets, `kind` is shown beside the name. */
interface Choice {
  readonly name: string;
  readonly kind: string;
  readonly value: string;
}

/** Figures that are texts of several lines, for pages that have nothing else. */
const BLOCKS: readonly string[] = [
  ...['storage:table', 'storage:events', 'storage:outbound', 'operator:block', 'partners:commissions'],
];

/** Lists every content file, and the sections of every page, by the addresses of their forms. */
function listPieces(site: ConsoleSite): readonly Choice[] {
  const { platform } = site;
  const content = site.content.read();
  const { articles } = site.content;
  const titles = new Map([
    ...[...content.pages].map(([path, { title }]) => [`pages${path}.yaml`, title] as const),
    ...articles.getSummaries().map(({ slug, title }) => [`articles/${slug}.md`, title] as const),
    ...articles.getUnpublished().map(({ file, title }) => [file, title] as const),
  ]);
  const files = (platform.content.files?.list() ?? []).map(
    ({ file }): Choice => ({ name: titles.get(file) ?? file, kind: 'Edit', value: buildFileAddress(file) }),
  );
  const sections = [...content.pages].flatMap(([path, { title, cta, sections: list }]) =>
    buildPageOutline({ header: 'default', cta, sections: list }).map(({ name }, index) => ({
      ...{ name: `${name}, ${title}`, kind: 'Section' },
      value: buildFileAddress(`pages${path}.yaml`, { at: `sections.${index}` }),
    })),
  );
  return [...files, ...sections];
}

/**
 * Lists what the text of an article can name: pages of the site and partners by their destinations, figures with their value
 * and day, and images. So no address of a partner is ever typed.
 */
export function listChoices(site: ConsoleSite) {
  const { platform } = site;
  const content = site.content.read();
  const { articles } = site.content;
  const { pages, partners, products, claims, figures } = content;
  const links: readonly Choice[] = [
    ...[...partners.values()].flatMap(({ key, name, destinations }) =>
      [...destinations.keys()].map((page) => ({
        name: `${name}, ${page}`,
        kind: 'Partner',
        value: page === 'pricing' ? buildRedirectPath(key) : `${buildRedirectPath(key)}?page=${page}`,
      })),
    ),
    ...[...pages].map(([path, { title }]) => ({ name: title, kind: 'Page', value: path })),
    ...articles.getSummaries().map((article) => ({
      ...{ name: article.title, kind: 'Article', value: buildArticlePath(article) },
    })),
  ];
  const shown = [...figures].filter(([name]) => !BLOCKS.includes(name));
  const descriptions = platform.content.imageStore?.readDescriptions();
  return {
    pieces: listPieces(site),
    links,
    figures: shown.map(([name, figure]): Choice => {
      const day = findDay(name, products, claims);
      return { name: `${figure}  ${name}`, kind: day === undefined ? '' : `as of ${day}`, value: name };
    }),
    images: [...platform.content.readImages().images.keys()].map((path): Choice => {
      const alt = (descriptions?.get(path) ?? 'What it shows').replace(/[[\]\\]/g, '\\$&');
      return { name: path, kind: 'Image', value: `![${alt}](../images/${encodeURI(path)})` };
    }),
  };
}

/** The day on which a figure was read; undefined when its name does not lead to one. */
function findDay(
  name: string,
  products: ReadonlyMap<string, Product>,
  claims: ReadonlyMap<string, Claim>,
): string | undefined {
  const [, group, first = '', second = ''] = /^([a-z]+):([a-z0-9-]+)(?:\.([a-z0-9-]+))?/.exec(name) ?? [];
  if (group === 'claim') return claims.get(first)?.checked;
  if (group !== 'product') return undefined;
  const product = products.get(first);
  const offer = product?.offers.find(({ key }) => key === second);
  return offer?.source?.checked ?? product?.facts.find(({ key }) => key === second)?.source?.checked;
}
