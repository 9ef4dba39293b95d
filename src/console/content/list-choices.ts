import { buildClickKey } from '../../core/commissions/credit/build-click-key.ts';
import { addDays, getLocalDay } from '../../core/commissions/local-time.ts';
import { METRICS } from '../../core/commissions/metric-definitions.ts';
import { type ConsoleViewer, isAllowed } from '../../core/console/capabilities.ts';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { buildPageOutline } from '../../core/pages/page-outline.ts';
import { buildArticlePath, buildRedirectPath } from '../../core/paths.ts';
import type { Product } from '../../core/products/product.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { readSiteNames } from '../reports/site-pages.ts';
import { buildFileAddress, buildImagesAddress } from './file-address.ts';

/** Something that can be put into a text or a field: `value` is what it gets, `kind` is shown after the name. */
export interface Choice {
  readonly name: string;
  readonly kind: string;
  readonly value: string;
  /** Address of a small picture of it. */
  readonly picture?: string;
}

/** Figures that are texts of several lines, for pages that have nothing else. */
const BLOCKS: readonly string[] = [
  'storage:table',
  'storage:events',
  'storage:outbound',
  'operator:block',
  'partners:commissions',
];

/** What is done often, and where. */
const ACTIONS: readonly (readonly [
  name: string,
  view: ConsoleViewKey,
  rest: readonly string[],
  extra?: Record<string, string>,
])[] = [
  ['New article', 'content', ['new'], { kind: 'article' }],
  ['New page', 'content', ['new'], { kind: 'page' }],
  ['New product', 'content', ['new'], { kind: 'product' }],
  ['New partner', 'content', ['new'], { kind: 'partner' }],
  ['New author', 'content', ['new'], { kind: 'author' }],
  ['Add an image', 'content', ['images']],
  ['Import a report as a file', 'partners', ['import']],
  ['Connect a network', 'partners', ['networks']],
  ['Add costs', 'campaigns', ['costs']],
  ['Replace a word in all pieces', 'content', ['replace']],
  ['Compare pages that you cite', 'content', ['live-pages']],
  ['Move a site in: WordPress, Ghost, Substack, Medium, Markdown', 'settings', ['move-in']],
  ['Invite an operator', 'settings', []],
  ['Settings: mail, SMTP, sender, recipient, password', 'settings', []],
  ['Settings: address of the site', 'settings', []],
  ['Settings: passkeys, sessions, share links', 'settings', []],
  ['Settings: currency and exchange rates', 'settings', []],
  ['Settings: digest and first day of the week', 'settings', []],
];

/** The view of a campaign or a source without a visit in as many days opens on all time. */
const RECENT_DAYS = 28;

/** Lists everything that is found by its name in every view, as far as the viewer may open it; reports for the days of a query. */
export async function listFindable(
  site: ConsoleSite,
  viewer: ConsoleViewer,
  query: ConsoleQuery,
): Promise<readonly Choice[]> {
  const { products } = site.content.read();
  const seesMoney = isAllowed(viewer, 'money');
  const actions = ACTIONS.filter(([, view]) => seesMoney || !['partners', 'campaigns'].includes(view)).map(
    ([name, view, rest, extra = {}]): Choice => ({
      name,
      kind: name.startsWith('Settings') ? 'Setting' : 'Do',
      value: buildConsoleAddress(view, {}, { rest, extra }),
    }),
  );
  const plans = [...products.values()].flatMap(({ key, name, offers }) =>
    offers.map((offer): Choice => {
      const value = buildFileAddress(`products/${key}.yaml`, { at: `offers.${offer.key}` });
      return { name: `${name}: ${offer.name}`, kind: 'Plan', value };
    }),
  );
  const descriptions = site.platform.content.imageStore?.readDescriptions();
  const images = [...site.platform.content.readImages().images.keys()].map((path): Choice => {
    const name = [path, descriptions?.get(path)].filter(Boolean).join(': ');
    return { name, kind: 'Image', value: buildImagesAddress(path) };
  });
  const definitions = Object.values(METRICS).map(
    ({ name, meaning }): Choice => ({ name: `${name}: ${meaning}`, kind: 'Definition', value: '#' }),
  );
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const readNames = async (dimension: 'campaign' | 'source', view: 'campaigns' | 'sources', kind: string) => {
    const read = async (from?: string) => {
      const groups = await site.money.rollups.readByKey({ dimension, ...(from !== undefined && { from }) });
      return new Set(groups.flatMap(({ key }) => buildClickKey(key, dimension, '') ?? []));
    };
    const [all, recent] = await Promise.all([read(), read(addDays(today, -RECENT_DAYS))]);
    return [...all].map((name): Choice => {
      const filters = [{ dimension, value: name, isNot: false }];
      const range = recent.has(name) ? {} : { range: 'all' };
      return { name, kind, value: buildConsoleAddress(view, { ...range, filters }) };
    });
  };
  const reports = (['page', 'partner'] as const).flatMap((dimension) =>
    [...readSiteNames(site)[`${dimension}s`]].map(([value, name]): Choice => {
      const filters = [{ dimension, value, isNot: false }];
      const href = buildConsoleAddress(`${dimension}s`, { ...query, sort: null, filters });
      return dimension === 'page'
        ? { name: `${name} ${value}`, kind: 'Page', value: href }
        : { name, kind: 'Partner', value: href };
    }),
  );
  const names = seesMoney
    ? await Promise.all([
        readNames('campaign', 'campaigns', 'Campaign'),
        readNames('source', 'sources', 'Source'),
      ])
    : [];
  return [
    ...(seesMoney ? reports : []),
    ...actions,
    ...listPieces(site),
    ...plans,
    ...images,
    ...names.flat(),
    ...definitions,
  ];
}

/** Lists every content file, and the sections of every page, by the addresses of their forms. */
function listPieces(site: ConsoleSite): readonly Choice[] {
  const { platform } = site;
  const content = site.content.read();
  const { articles } = site.content;
  const titles = new Map([
    ...[...content.pages].map(([path, { title }]) => [`pages${path}.yaml`, title] as const),
    ...articles.getSummaries().map(({ slug, title }) => [`articles/${slug}.md`, title] as const),
    ...articles.getUnpublished().map(({ file, title }) => [file, title] as const),
    ...(['partners', 'products', 'authors'] as const).flatMap((folder) =>
      [...content[folder].values()].map(
        ({ key, name }) => [`${folder}/${key}.yaml`, `${name} (${folder.slice(0, -1)})`] as const,
      ),
    ),
    ['site.yaml', 'Site: navigation, footer, home page'],
    ['brand.yaml', 'Brand: logo, colors, fonts'],
  ]);
  const files = (platform.content.files?.list() ?? []).map(
    ({ file }): Choice => ({ name: titles.get(file) ?? file, kind: 'Edit', value: buildFileAddress(file) }),
  );
  const sections = [...content.pages].flatMap(([path, { title, cta, sections: list }]) =>
    buildPageOutline({ header: 'default', cta, sections: list }).map(({ name }, index) => ({
      name: `${name}, ${title}`,
      kind: 'Section',
      value: buildFileAddress(`pages${path}.yaml`, { at: `sections.${index}` }),
    })),
  );
  return [...files, ...sections];
}

/** The address on this site that leads to a page of a partner. */
export const buildDestinationLink = (partner: string, page: string) =>
  page === 'pricing' ? buildRedirectPath(partner) : `${buildRedirectPath(partner)}?page=${page}`;

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
        value: buildDestinationLink(key, page),
      })),
    ),
    ...[...pages].map(([path, { title }]) => ({ name: title, kind: 'Page', value: path })),
    ...articles.getSummaries().map((article) => ({
      name: article.title,
      kind: 'Article',
      value: buildArticlePath(article),
    })),
  ];
  const shown = [...figures].filter(([name]) => !BLOCKS.includes(name));
  const descriptions = platform.content.imageStore?.readDescriptions();
  return {
    pieces: listPieces(site),
    links,
    products: [...products.values()].map(({ key, name, kind }): Choice => ({ name, kind, value: key })),
    shops: [...products.values()].flatMap(({ key, offers: [offer] }) => {
      const partner = partners.get(offer?.partner ?? '');
      if (offer === undefined || partner === undefined) return [];
      const kind = `${partner.name}, ${offer.destination}`;
      return {
        name: key,
        kind,
        value: buildDestinationLink(partner.key, offer.destination),
      } satisfies Choice;
    }),
    figures: shown.map(([name, figure]): Choice => {
      const day = findDay(name, products, claims);
      return { name: `${figure}  ${name}`, kind: day === undefined ? '' : `as of ${day}`, value: name };
    }),
    images: [...platform.content.readImages().images].map(([path, { src }]): Choice => {
      const alt = (descriptions?.get(path) ?? '').replace(/[[\]\\]/g, '\\$&');
      const value = `![${alt}](../images/${encodeURI(path)})`;
      return { name: descriptions?.get(path) ?? path, kind: path, value, picture: src };
    }),
  };
}

/** Lists pieces as cards: the title as a link, and what it is about. Pages with a calculator come as such. */
export function listCards({ content }: ConsoleSite): readonly Choice[] {
  const build = (kind: string, title: string, path: string, about: string): Choice => {
    const [name, text] = [title, about].map((one) => one.replace(/[\\[\]*_`<]/g, '\\$&'));
    return { name: title, kind, value: `**[${name}](${path})**\\\n${text}` };
  };
  const pages = [...content.read().pages].map(([path, { title, description, sections }]) => {
    const hasCalculator = sections.some(
      (one) =>
        one.type === 'savings-calculator' || (one.type === 'hero' && one.figure?.kind === 'calculator'),
    );
    return build(hasCalculator ? 'Calculator' : 'Page', title, path, description);
  });
  const articles = content.articles.getSummaries();
  return [
    ...pages,
    ...articles.map((one) => build('Article', one.title, buildArticlePath(one), one.excerpt)),
  ];
}

const CURRENCIES = new Intl.DisplayNames('en', { type: 'currency' });

/**
 * Lists what fields of files can name, by `FieldNames`. Destinations are listed for each partner as `destination KEY`, offers
 * for each product as `offer KEY`; sources and facts of a product are in its own form.
 */
export function listNamed(site: ConsoleSite): ReadonlyMap<string, readonly Choice[]> {
  const { platform } = site;
  const { partners, products, authors, claims, pages, savings, networks, images, ...content } =
    site.content.read();
  const promoted = content.site.promotedPartner;
  const articles = site.content.articles.getSummaries();
  const descriptions = platform.content.imageStore?.readDescriptions();
  const list = <T>(
    found: Iterable<T>,
    build: (one: T) => readonly [value: string, name: string, kind?: string],
  ) =>
    [...found].map((one): Choice => {
      const [value, name, kind = ''] = build(one);
      return { value, name, kind };
    });
  const facts = [...products.values()].flatMap((product) => product.facts);
  const criteria = [...products.values()].flatMap((product) => Object.keys(product.criteria));
  return new Map<string, readonly Choice[]>([
    ['partner', list(partners.values(), ({ key, name, site: home }) => [key, name, new URL(home).host])],
    ...[...partners.values()].map(({ key, destinations }) => {
      const found = list(destinations, ([page, address]) => [page, page, address]);
      return [`destination ${key}`, found] as const;
    }),
    // Links without a partner lead to the promoted one.
    [
      'destination',
      list(partners.get(promoted)?.destinations ?? [], ([page, address]) => [page, page, address]),
    ],
    ['product', list(products.values(), ({ key, name, kind }) => [key, name, kind])],
    ...[...products.values()].map(({ key, offers }) => {
      return [`offer ${key}`, list(offers, (offer) => [offer.key, offer.name])] as const;
    }),
    ['fact', list(new Map(facts.map((one) => [one.key, one.label])), ([key, label]) => [key, label])],
    ['criterion', list(new Set(criteria), (key) => [key, key])],
    ['author', list(authors.values(), ({ key, name, role }) => [key, name, role])],
    ['category', list(new Set(articles.flatMap(({ categories }) => categories)), (name) => [name, name])],
    [
      'page',
      [
        ...list(pages, ([path, { title }]) => [path, title, path]),
        ...list(articles, (article) => [buildArticlePath(article), article.title, buildArticlePath(article)]),
      ],
    ],
    [
      'image',
      [...images.images].map(([path, { src }]) => ({
        value: `../images/${path.replace(/[%#?]/g, encodeURIComponent)}`,
        picture: src,
        kind: path,
        name: descriptions?.get(path) ?? path,
      })),
    ],
    ['calculator', list(Object.keys(savings.calculators), (key) => [key, key])],
    ['claim', list(claims, ([key, { figure, wording }]) => [key, `${figure} ${wording}`, key])],
    ['network', list(networks, ([key, { title }]) => [key, key === 'generic' ? 'Another network' : title])],
    [
      'currency',
      list(Intl.supportedValuesOf('currency'), (code) => [code, CURRENCIES.of(code) ?? code, code]),
    ],
  ]);
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
