import { lstatSync } from 'node:fs';
import path from 'node:path';
import { findAuthor } from '../core/articles/article.ts';
import { type Author, authorFileSchema } from '../core/articles/author.schema.ts';
import { type Assessment, assessmentSchema } from '../core/assessment/assessment.schema.ts';
import { type AssessmentReferences, checkAssessment } from '../core/assessment/assessment-checks.ts';
import { type Beside, besideSchema, NO_BESIDE } from '../core/outbound/beside.schema.ts';
import { findStatedPrice } from '../core/outbound/content-updates.ts';
import { partnerSchema } from '../core/outbound/partner.schema.ts';
import { fillUtm, type Partner, USUAL_UTM } from '../core/outbound/partner.ts';
import { type Brand, brandSchema } from '../core/pages/brand/brand.schema.ts';
import { buildBrandStyles } from '../core/pages/brand/build-brand-styles.ts';
import { checkReferences, type LinkTargets } from '../core/pages/check-references.ts';
import { type Claim, claimFileSchema } from '../core/pages/claims/claim.schema.ts';
import {
  type AgedFigures,
  buildFigures,
  type Figures,
  fillFigures,
  findAgedCharges,
} from '../core/pages/claims/placeholders.ts';
import { boundProblems, type Content, ContentError, type ContentProblem } from '../core/pages/content.ts';
import { findContentImage, type ImageCatalog, NO_IMAGES } from '../core/pages/images/content-image.ts';
import { IMAGE_DESCRIPTIONS, imageDescriptions } from '../core/pages/images/image-field.schema.ts';
import type { Page } from '../core/pages/page.schema.ts';
import { checkPartnerLinks, type KnownPartners } from '../core/pages/partner-link-check.ts';
import { checkRedirects, type RedirectLine } from '../core/pages/redirects/redirects.ts';
import { type SiteDetails, siteSchema } from '../core/pages/site.schema.ts';
import { findPriceChanges } from '../core/pages/updates.ts';
import { buildDefaultPath, buildPagePath, isReservedPath } from '../core/paths.ts';
import { findProductFaults } from '../core/products/compare.ts';
import { productSchema } from '../core/products/product.schema.ts';
import type { Product } from '../core/products/product.ts';
import { buildTotalFigures, findAmount } from '../core/products/totals.ts';
import {
  buildSavings,
  calculatorsSchema,
  NO_CALCULATORS,
  type SavingsSettings,
} from '../core/savings/calculators.schema.ts';
import { listArticleSlugs } from './articles/read-article-files.ts';
import { type ContentDocuments, ContentFolder, type ParsedFiles, type Repair } from './content-folder.ts';
import { isOfKind, nameOfFile } from './kinds.ts';
import { fillLabels, readNetworks } from './networks.ts';
import { readAddresses, readArticleFront } from './read-addresses.ts';
import { checkImages, checkLinkedPages, checkPlaceholders, fillShown, readPageFiles } from './read-pages.ts';
import { placeRedirectImages, readRedirectFiles } from './read-redirects.ts';

const SITE_FILE = 'site.yaml';
const ALLOWED_FILE = 'allowed.yaml';
const ALLOWED_GONE =
  'is not read any more: most rules on words are gone, and a page, an article or a product allows the others in `allow`. Remove it';

/** What content files may refer to. */
export interface ContentReferences {
  /** Images that pages may show; left out: not checked, for commands that show no page. */
  readonly images?: ImageCatalog | undefined;
  /** Slugs of the articles that pages may name; left out: not checked, for articles that are elsewhere. */
  readonly articles?: ReadonlySet<string> | undefined;
  /** ms since 1970, by which prices are too old to be shown; left out: all are shown. */
  readonly now?: number | undefined;
  /** The files as they were parsed last; left out: all are parsed. */
  readonly files?: ParsedFiles | undefined;
}

/** How the folder is read around files that are not shown as they are. */
interface Rereading extends ContentReferences {
  /** What is read instead of these files; undefined: as if it were not there. */
  readonly held?: ContentDocuments;
  /** Files of pages that visitors do not see because they are invalid: other files may link to them. */
  readonly leftOut?: ReadonlySet<string>;
  /** Asked for files of `held` that are wrong. */
  readonly repair?: Repair | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** What a content folder has, and what is wrong with it. */
export interface FolderContents
  extends Pick<ContentFolder, 'problems' | 'waits' | 'warnings' | 'unread' | 'repaired' | 'documents'> {
  /** null when there are `problems`. */
  readonly content: Content | null;
}

/** Reads and cross-checks the whole content folder. Throws `ContentError` with everything that is wrong. */
export function readContent(root: string, references: ContentReferences = {}): Content {
  const { content, problems, waits, warnings } = readFolderContents(root, references);
  const found = [...problems, ...waits, ...warnings];
  if (content === null || found.length > 0) throw new ContentError(found);
  return content;
}

/** Reads and cross-checks the whole content folder; never throws for what is wrong with a file. */
export function readFolderContents(root: string, options: Rereading): FolderContents {
  const { images, articles, now, files, held, leftOut = NONE, repair } = options;
  const absent = [...leftOut].map((file) => [file, undefined] as const);
  const folder = new ContentFolder(root, new Map([...(held ?? []), ...absent]), files, repair);
  const { problems, waits, warnings, unread, repaired, documents } = folder;
  const report = (content: Content | null) => ({
    content,
    documents,
    problems: boundProblems(problems),
    waits: boundProblems(waits),
    warnings: boundProblems(warnings),
    unread: boundProblems(unread),
    repaired: boundProblems(repaired),
  });
  const partnerFiles = readPartnerFiles(folder);
  const networks = readNetworks(folder, partnerFiles.partners);
  const labeled = fillLabels(folder, partnerFiles.partners, networks);
  const site = readSite(folder, { ...partnerFiles, partners: labeled });
  const utm = site?.utm ?? USUAL_UTM;
  const partners = new Map([...labeled].map(([key, partner]) => [key, fillUtm(partner, utm)]));
  const known = { ...partnerFiles, partners };
  const authors = readAuthors(folder, known, images);
  // What is about to be written is read before it is there.
  const has = (file: string) => held?.has(file) === true || isThere(root, file);
  const brand = has(BRAND_FILE) ? readBrand(folder, images) : brandSchema.parse({});
  const beside = has(BESIDE_FILE) ? readBeside(folder, partners) : NO_BESIDE;
  const writtenClaims = readClaims(folder);
  if (site !== undefined) checkSite(folder, site, { ...known, authors, claims: writtenClaims });
  const written = readProducts(folder, { ...known, authors }, images);
  const read = readCalculators(root, folder, written, now);
  const sources = { claims: writtenClaims, operator: site?.operator, partners: [...partners.values()], now };
  const filling = written && read && fillPlaceholders(folder, written, read, sources);
  const claims = filling === undefined ? writtenClaims : fillClaims(folder, writtenClaims, filling.figures);
  const assessment =
    filling &&
    readAssessmentFile(
      folder,
      { ...known, claims, plans: listPlans(filling.savings, filling.products) },
      filling,
    );
  const filled = site && filling && fillSite(folder, site, filling.figures);
  const { promotedPartner, aliases = {} } = site ?? {};
  const pages =
    filling === undefined
      ? new Map<string, Page>()
      : readPageFiles(folder, {
          ...known,
          images,
          authors,
          promotedPartner,
          aliases,
          figures: filling.figures,
          aged: filling.aged,
          products: filling.products,
          calculators: Object.keys(filling.savings.calculators),
        });
  if (filled && filling) checkPicks(folder, filled, filling.products);
  checkLinkedPages(folder, leftOut);
  readImageDescriptions(root, folder, held);
  if (isThere(root, ALLOWED_FILE)) unread.push({ file: ALLOWED_FILE, field: '', reason: ALLOWED_GONE });
  const lines = readRedirectFiles(root, warnings, held);
  lines.push(...leadFormerFiles({ pages, aliases, lines }, unread));
  const redirects = placeRedirectImages(lines, images, warnings);
  if (problems.length > 0 || !filled || !filling || !assessment) {
    return report(null);
  }
  const { savings, products, figures, aged } = filling;
  // When all files are right by themselves: a page that cannot be read is no page that is missing.
  const former = new Map(lines.map(({ from, to }) => [from, to]));
  const targets = {
    site: filled,
    pages,
    authors,
    partners,
    articles,
    leftOut: listPaths(leftOut),
    redirects: former,
  };
  const { addresses, clashes } = readAddresses(root, targets, lines, held);
  // Who leaves out the articles checks no links to them: those by their own addresses are as right.
  const slugs = articles ?? new Set(listArticleSlugs(path.join(root, 'articles')));
  const all = articles
    ? addresses
    : readAddresses(root, { ...targets, articles: slugs }, lines, held).addresses;
  const addressed = { ...targets, addresses: all };
  const references = checkReferences({ ...addressed, savings });
  for (const problem of references) (problem.isWarning ? warnings : problems).push(folder.addLine(problem));
  const faults = checkRedirects(lines, addressed, listDrafts(root, targets, held));
  const wrong = new Set(faults.map(({ line }) => nameLine(line)));
  warnings.push(
    ...faults.map(({ line: { file, line }, reason }) => ({ file, field: `line ${line}`, reason })),
  );
  checkExpectedPrices(folder, partners, { products, claims });
  const author = findAuthor(authors, filled.author)?.name ?? filled.author;
  const content: Content = {
    site: { ...filled, author },
    partners,
    networks,
    authors,
    brand,
    beside,
    claims,
    products,
    savings,
    figures,
    aged,
    assessment,
    images: images ?? NO_IMAGES,
    pages,
    addresses,
    addressClashes: clashes,
    redirects: new Map(
      redirects.filter((line) => !wrong.has(nameLine(line))).map(({ from, to }) => [from, to]),
    ),
  };
  return report(problems.length > 0 ? null : content);
}

/** Files that pages offered at addresses of their own. */
const FORMER_FILES = ['/takeaways/audit-sheet.csv', '/takeaways/trial-plan.ics'];

/** Leads their addresses to the first page that links to them still, unless a redirect does. */
function leadFormerFiles(
  {
    pages,
    aliases,
    lines,
  }: {
    readonly pages: ReadonlyMap<string, Page>;
    readonly aliases: Readonly<Record<string, string>>;
    readonly lines: readonly RedirectLine[];
  },
  unread: ContentProblem[],
): readonly RedirectLine[] {
  return FORMER_FILES.flatMap((from) => {
    const naming = [...pages].flatMap(([to, page]) => (JSON.stringify(page).includes(from) ? to : []));
    for (const to of naming) {
      const reason = `links to ${from}, which is not there any more: remove the link`;
      unread.push({ file: `pages${to}.yaml`, field: '', reason });
    }
    const [to] = naming;
    return to === undefined || Object.hasOwn(aliases, from) || lines.some((line) => line.from === from)
      ? []
      : [{ file: `pages${to}.yaml`, line: 1, from, to }];
  });
}

const NO_CHARGES: AgedFigures['charges'] = new Map();

const nameLine = ({ file, line }: RedirectLine) => `${file} ${line}`;

/** Fills figures into products and calculators, which name each other's. */
function fillPlaceholders(
  folder: ContentFolder,
  written: NonNullable<ReturnType<typeof readProducts>>,
  read: NonNullable<ReturnType<typeof readCalculators>>,
  sources: Omit<Parameters<typeof buildFigures>[0], 'savings' | 'products'>,
) {
  const first = { ...sources, savings: read, products: written };
  const products = fillProducts(folder, written, buildFigures(first));
  const savings = { ...read, product: products.get(read.product?.key ?? '') };
  const figures = buildFigures({ ...sources, savings, products });
  const changes = findPriceChanges(figures, { savings, products });
  if (sources.now === undefined)
    return { products, savings, figures, aged: { listed: figures, charges: NO_CHARGES, changes } };
  const ageless = buildFigures({ ...first, now: undefined });
  const listed = fillProducts(null, written, ageless);
  const own = { ...first, savings: { ...read, product: listed.get(read.product?.key ?? '') } };
  const aged = {
    listed: buildFigures({ ...own, now: undefined, products: listed }),
    charges: findAgedCharges(figures, { savings, products, now: sources.now }),
    changes,
  };
  return { products, savings, figures, aged };
}

/** Checks the products that the front page picks. */
function checkPicks(
  folder: ContentFolder,
  site: NonNullable<ReturnType<typeof fillSite>>,
  products: Content['products'],
): void {
  if (!site.home.picks) return;
  const report = folder.openReport(SITE_FILE, site);
  const section = { ...site.home.picks, type: 'picks-table' } as const;
  for (const { path: at, reason } of findProductFaults(section, products))
    report(['home', 'picks', ...at], reason);
}

/** The keys of plans that texts can be about: `starter` of the product of calculators, `kit.creator` of every product. */
function listPlans(
  { product }: SavingsSettings,
  products: ReadonlyMap<string, Product>,
): ReadonlySet<string> {
  const own = (product?.offers ?? []).map(({ key }) => key);
  const all = [...products.values()].flatMap(({ key, offers }) =>
    offers.map((offer) => `${key}.${offer.key}`),
  );
  return new Set([...own, ...all]);
}

/** The paths with a redirect at which there is a draft, which visitors do not see. */
function listDrafts(
  root: string,
  { pages, articles, redirects }: LinkTargets,
  held: ContentDocuments | undefined,
): ReadonlySet<string> {
  const isDraft = (slug: string) => {
    return (
      redirects?.has(buildDefaultPath(slug)) === true && readArticleFront(root, slug, held)['draft'] === true
    );
  };
  return new Set([
    ...[...pages].filter(([, { draft }]) => draft).map(([path]) => path),
    ...[...(articles ?? [])].filter(isDraft).map(buildDefaultPath),
  ]);
}

/** The paths of files of pages: `pages/help.yaml` is `/help`. */
const listPaths = (files: ReadonlySet<string>) =>
  new Set([...files].map((file) => buildPagePath(nameOfFile(file))));

function readSite(folder: ContentFolder, known: KnownPartners): SiteDetails | undefined {
  return folder.readFile(SITE_FILE, siteSchema, (raw, report) => {
    for (const { path, reason } of checkPartnerLinks(raw, known)) report(path, reason);
    return raw;
  });
}

const PLANS_FILE = 'plans.yaml';
const CALCULATORS_FILE = 'calculators.yaml';

/** Reads `calculators.yaml`; a site without it has no calculators. undefined: it is invalid, or `products` is. */
function readCalculators(
  root: string,
  folder: ContentFolder,
  products: ReadonlyMap<string, Product> | undefined,
  now: number | undefined,
): SavingsSettings | undefined {
  if (isThere(root, PLANS_FILE)) {
    const reason =
      'is not read any more: its plans are offers of a product, and the rest belongs in ' +
      'content/calculators.yaml (docs/recipes/product.md, "A folder with plans.yaml")';
    folder.problems.push({ file: PLANS_FILE, field: '', reason });
    return undefined;
  }
  const file = isThere(root, CALCULATORS_FILE)
    ? folder.readFile(CALCULATORS_FILE, calculatorsSchema, (raw) => raw ?? {})
    : NO_CALCULATORS;
  if (file === undefined || products === undefined) return undefined;
  const before = folder.problems.length;
  const report = folder.openReport(CALCULATORS_FILE, file);
  for (const [key, { lines }] of Object.entries(file.totals)) {
    const isKnown = (figure: string | undefined) =>
      figure === undefined || findAmount(figure, products) !== null;
    lines.forEach(({ figure }, index) => {
      if (isKnown(figure)) return;
      report(['totals', key, 'lines', index, 'figure'], `no product has an amount of money "${figure}"`);
    });
    if (buildTotalFigures(lines, products).length > 0) continue;
    if (lines.every(({ figure }) => isKnown(figure)))
      report(['totals', key], 'needs figures of one currency');
  }
  const savings = buildSavings(file, products, report, now);
  return folder.problems.length > before ? undefined : savings;
}

/** Reads `products/*.yaml` without drafts; undefined when one is invalid. `images`: undefined: not checked. */
function readProducts(
  folder: ContentFolder,
  { partners, invalid, authors }: KnownPartners & { readonly authors: Content['authors'] },
  images: ImageCatalog | undefined,
): Map<string, Product> | undefined {
  const before = folder.problems.length;
  const products = new Map<string, Product>();
  const files = folder.readFolder('products', productSchema, (raw, report, wait) => {
    if (images !== undefined) checkImages(raw, images, report, wait);
    if (Object(raw).draft !== true) checkPlaceholders(raw, report);
    return raw;
  });
  for (const [key, product] of files) {
    const file = `products/${key}.yaml`;
    const raw = folder.documents.get(file);
    const report = folder.openReport(file, raw);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key))
      report([], 'the file name may have only a-z, 0-9 and single hyphens');
    for (const { key: name, partner, destination, source } of product.offers) {
      const found = partners.get(partner);
      if (found?.prices === 'none' && source !== undefined)
        report(
          ['offers', name, 'price'],
          `partner "${partner}" says \`prices: none\`: leave out the price and its source`,
        );
      if (found === undefined && !invalid.has(partner))
        report(['offers', name, 'partner'], `no partner is called "${partner}"`);
      if (found !== undefined && !found.destinations.has(destination)) {
        const known = [...found.destinations.keys()].join(', ');
        report(
          [
            'offers',
            name,
            ...(Object(Object(Object(raw).offers)[name]).destination === undefined ? [] : ['destination']),
          ],
          `partner "${partner}" has no page "${destination}"; it has ${known}`,
        );
      }
    }
    if (product.tested !== undefined && !authors.has(product.tested.by))
      report(['tested', 'by'], `there is no author "${product.tested.by}"`);
    if (!product.draft) products.set(key, { key, ...product });
  }
  return folder.problems.length > before ? undefined : products;
}

/** Puts the figures into the texts of products. `folder` null: unknown names were reported before. */
function fillProducts(
  folder: ContentFolder | null,
  products: ReadonlyMap<string, Product>,
  figures: Figures,
): Map<string, Product> {
  return new Map(
    [...products].map(([key, product]) => {
      const file = `products/${key}.yaml`;
      const report = folder?.openReport(file, folder.documents.get(file));
      return [key, fillFigures(product, figures, (name, at) => report?.(at, `nothing is called {${name}}`))];
    }),
  );
}

/** Reports the names in `site.yaml` that no other file defines. */
function checkSite(
  folder: ContentFolder,
  site: SiteDetails,
  known: ReturnType<typeof readPartnerFiles> & Pick<Content, 'authors' | 'claims'>,
): void {
  const { partners, invalid, authors, claims } = known;
  const report = folder.openReport(SITE_FILE, site);
  const { promotedPartner: main } = site;
  if (main !== '' && !partners.has(main) && !invalid.has(main))
    report(['promotedPartner'], `no partner is called "${site.promotedPartner}"`);
  const warn = folder.openReport(SITE_FILE, site, folder.warnings);
  if (findAuthor(authors, site.author) === undefined) warn(['author'], `there is no author "${site.author}"`);
  site.blog.hero.stats.forEach((key, index) => {
    if (!claims.has(key)) warn(['blog', 'hero', 'stats', index], `no claim is called "${key}"`);
  });
}

function fillSite(folder: ContentFolder, site: SiteDetails, figures: Figures): SiteDetails {
  const report = folder.openReport(SITE_FILE, site);
  return fillFigures(site, figures, (name, at) => report(at, `there is no figure called {${name}}`));
}

function readClaims(folder: ContentFolder): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const [name, file] of folder.readFolder('claims', claimFileSchema)) {
    for (const [key, claim] of Object.entries(file)) {
      if (claims.has(key)) {
        folder.openReport(`claims/${name}.yaml`, file)([key], 'another file has this key already');
      }
      claims.set(key, { ...claim, key });
    }
  }
  return claims;
}

/** Puts the figures into claims: what a source says against one can name prices. */
function fillClaims(folder: ContentFolder, claims: ReadonlyMap<string, Claim>, figures: Figures) {
  return new Map(
    [...claims].map(([key, claim]) => {
      const [file = 'claims/'] = [...folder.documents]
        .filter(([name, value]) => isOfKind(name, 'claims') && Object.hasOwn(Object(value), key))
        .map(([name]) => name);
      const report = folder.openReport(file, folder.documents.get(file));
      return [
        key,
        fillFigures(claim, figures, (name, at) => report([key, ...at], `nothing is called {${name}}`)),
      ];
    }),
  );
}

/** Reports the prices that `watch.expect` and `commission` of a partner name and that nothing on the site states. */
function checkExpectedPrices(
  folder: ContentFolder,
  partners: ReadonlyMap<string, Partner>,
  stating: Parameters<typeof findStatedPrice>[1],
): void {
  for (const [key, { watch, commission }] of partners) {
    const file = `partners/${key}.yaml`;
    const warn = folder.openReport(file, folder.documents.get(file), folder.warnings);
    commission?.examples.forEach((example, index) => {
      if (findStatedPrice(`product:${example}`, stating) === null)
        warn(['commission', 'examples', index], `no offer of a product is called "${example}"`);
    });
    for (const [page, { prices }] of watch?.expect ?? []) {
      prices.forEach(({ equals }, index) => {
        if (findStatedPrice(equals, stating) !== null) return;
        const what = equals.startsWith('claim:') ? 'claim with a price' : 'offer of a product';
        warn(['watch', 'expect', page, 'prices', index, 'equals'], `no ${what} is called "${equals}"`);
      });
    }
  }
}

const ASSESSMENT_FILE = 'assessment.yaml';

/** Reads the assessment, checks what it names against the other files, and puts the figures in their places. */
function readAssessmentFile(
  folder: ContentFolder,
  found: AssessmentReferences,
  { figures, aged }: { readonly figures: Figures; readonly aged: AgedFigures },
): Assessment | undefined {
  const assessment = folder.readFile(ASSESSMENT_FILE, assessmentSchema, (raw, report) =>
    fillFigures(raw, aged.listed, (name, at) => report(at, `there is no figure "{${name}}"`)),
  );
  if (assessment === undefined) return undefined;
  const report = folder.openReport(ASSESSMENT_FILE, assessment);
  for (const { path, reason } of checkAssessment(assessment, found)) report(path, reason);
  const shown = { figures, listed: aged.listed };
  return fillShown(folder.documents.get(ASSESSMENT_FILE), assessmentSchema, assessment, shown);
}

/** Reads `authors/*.yaml`; the authors by key. `images`: what a portrait may refer to; undefined: not checked. */
function readAuthors(
  folder: ContentFolder,
  known: KnownPartners,
  images: ImageCatalog | undefined,
): Map<string, Author> {
  const authors = new Map<string, Author>();
  const files = folder.readFolder('authors', authorFileSchema, (raw, report) => {
    for (const { path, reason } of checkPartnerLinks(raw, known)) report(path, reason);
    return raw;
  });
  for (const [key, author] of files) {
    const file = `authors/${key}.yaml`;
    const report = folder.openReport(file, author);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key)) {
      report([], 'the file name may have only a-z, 0-9 and single hyphens');
    }
    const portrait = author.image && images && findContentImage(author.image.src, images);
    if (portrait && 'problem' in portrait) {
      const list = portrait.needsBuild ? folder.waits : folder.problems;
      folder.openReport(file, author, list)(['image', 'src'], portrait.problem);
    }
    authors.set(key, { ...author, key });
  }
  return authors;
}

/** Whether there is something of this name, be it a link that leads nowhere. */
const isThere = (root: string, file: string) =>
  lstatSync(path.join(root, file), { throwIfNoEntry: false }) !== undefined;

/** Checks `images.yaml`, the descriptions with which pieces begin that take an image. */
function readImageDescriptions(root: string, folder: ContentFolder, held: Rereading['held']): void {
  if (held?.has(IMAGE_DESCRIPTIONS) || isThere(root, IMAGE_DESCRIPTIONS))
    folder.readFile(IMAGE_DESCRIPTIONS, imageDescriptions, (raw) => raw ?? {});
}

/** The file of the sites beside this one; the console creates it. */
export const BESIDE_FILE = 'beside.yaml';

/** Reads `beside.yaml`. */
function readBeside(folder: ContentFolder, partners: Content['partners']): Beside {
  const beside = folder.readFile(BESIDE_FILE, besideSchema, (raw) => raw ?? {});
  if (beside === undefined) return NO_BESIDE;
  const report = folder.openReport(BESIDE_FILE, beside);
  for (const [link, target] of Object.entries(beside.cloaked)) {
    const [key = '', destination] = target.split('/');
    const known = partners.get(key)?.destinations;
    if (known === undefined) report(['cloaked', link], `names ${key}, which is no partner`);
    else if (destination !== undefined && !known.has(destination))
      report(['cloaked', link], `names ${destination}, which is no destination of ${key}`);
  }
  return beside;
}

const BRAND_FILE = 'brand.yaml';

/** Reads `brand.yaml`; the shipped look where it is invalid. `images`: what it may refer to; undefined: not checked. */
function readBrand(folder: ContentFolder, images: ImageCatalog | undefined): Brand {
  const brand = folder.readFile(BRAND_FILE, brandSchema, (raw) => raw ?? {});
  if (brand === undefined) return brandSchema.parse({});
  const report = folder.openReport(BRAND_FILE, brand);
  for (const { field, reason } of buildBrandStyles(brand).problems) report(field.split('.'), reason);
  const { logo, favicon, socialImage } = brand;
  for (const [field, src] of Object.entries({ 'logo.src': logo?.src, favicon, socialImage })) {
    const found = src !== undefined && images !== undefined ? findContentImage(src, images) : null;
    if (found === null || !('problem' in found)) continue;
    const list = found.needsBuild ? folder.waits : folder.problems;
    folder.openReport(BRAND_FILE, brand, list)(field.split('.'), found.problem);
  }
  return brand;
}

/** Reads the settings of the brand for a build. Throws `ContentError` when the file is invalid. */
export function readBrandSettings(root: string): Brand {
  const folder = new ContentFolder(root);
  const brand = isThere(root, BRAND_FILE) ? readBrand(folder, undefined) : brandSchema.parse({});
  folder.finish();
  return brand;
}

/** The partner of a site without any: nothing leads to it (`isExamplePartner`). */
const NOBODY = partnerSchema.parse({
  key: 'example',
  name: 'Example Product',
  site: 'https://www.example.com/',
  hosts: ['www.example.com'],
  affiliate: null,
  subId: null,
  network: 'generic',
  destinations: { home: 'https://www.example.com/', pricing: 'https://www.example.com/' },
});

/** Reads `partners/*.yaml`; the partners by key. A file with problems is in `invalid`, so that it is reported once. */
export function readPartnerFiles(folder: ContentFolder): KnownPartners {
  const partners = new Map<string, Partner>();
  const owners = new Map<string, string>();
  for (const [name, partner] of folder.readFolder('partners', partnerSchema)) {
    const { key, trialPath } = partner;
    const report = folder.openReport(`partners/${name}.yaml`, partner);
    if (key !== name) report(['key'], `must be the file's name, "${name}"`);
    if (trialPath !== null && isReservedPath(trialPath)) {
      report(['trialPath'], `the site responds at ${trialPath} itself`);
    }
    const owner = trialPath === null ? undefined : owners.get(trialPath);
    if (owner !== undefined)
      report(['trialPath'], `${trialPath} is the trial path of partner "${owner}" already`);
    if (trialPath !== null) owners.set(trialPath, name);
    partners.set(name, partner);
  }
  const invalid = new Set(folder.listNames('partners').filter((name) => !partners.has(name)));
  if (partners.size + invalid.size === 0) partners.set(NOBODY.key, NOBODY);
  return { partners, invalid };
}
