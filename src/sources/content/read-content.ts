import { existsSync } from 'node:fs';
import path from 'node:path';
import { findAuthor } from '../../core/articles/article.ts';
import { type Author, authorFileSchema } from '../../core/articles/author.schema.ts';
import { type Assessment, assessmentSchema } from '../../core/assessment/assessment.schema.ts';
import { type AssessmentReferences, checkAssessment } from '../../core/assessment/assessment-checks.ts';
import { partnerSchema } from '../../core/outbound/partner.schema.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { type Brand, brandSchema } from '../../core/pages/brand/brand.schema.ts';
import { buildBrandStyles } from '../../core/pages/brand/build-brand-styles.ts';
import { checkReferences } from '../../core/pages/check-references.ts';
import { type Claim, claimFileSchema } from '../../core/pages/claim.schema.ts';
import { type Content, ContentError } from '../../core/pages/content.ts';
import { findContentImage, type ImageCatalog, NO_IMAGES } from '../../core/pages/content-image.ts';
import { buildClaimFigures, buildFigures, type Figures, fillFigures } from '../../core/pages/figures.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import { checkPartnerLinks, type KnownPartners } from '../../core/pages/partner-link-check.ts';
import { checkRedirects } from '../../core/pages/redirects.ts';
import { type SiteDetails, siteSchema } from '../../core/pages/site.schema.ts';
import { buildPagePath, isReservedPath } from '../../core/paths.ts';
import { type Plans, plansSchema } from '../../core/savings/plans.schema.ts';
import { type ContentDocuments, ContentFolder } from './content-folder.ts';
import { checkLinkedPages, readPageFiles } from './read-pages.ts';
import { readRedirectFiles } from './read-redirects.ts';

const SITE_FILE = 'site.yaml';

/** What a running site keeps until its next start, whatever the files say. */
export type FixedContent = Pick<Content, 'brand' | 'partners'>;

/** What content files may refer to. */
export interface ContentReferences {
  /** Images that pages may show; left out: not checked, for commands that show no page. */
  readonly images?: ImageCatalog | undefined;
  /** Slugs of the articles that pages may name; left out: not checked, for articles that are elsewhere. */
  readonly articles?: ReadonlySet<string> | undefined;
}

/** How a running site reads its folder again. */
interface Rereading extends ContentReferences {
  /** Used instead of the files of brand and partners, which are not read. */
  readonly fixed?: FixedContent;
  /** What is read instead of these files. */
  readonly held?: ContentDocuments;
  /** Files of pages that visitors do not see because they are invalid: other files may link to them. */
  readonly leftOut?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** What a content folder has, and what is wrong with it. */
export interface FolderContents extends Pick<ContentFolder, 'problems' | 'waits' | 'documents'> {
  /** null when something is wrong. */
  readonly content: Content | null;
}

/** Reads and cross-checks the whole content folder. Throws `ContentError` with everything that is wrong. */
export function readContent(root: string, references: ContentReferences = {}): Content {
  return readContentDocuments(root, references).content;
}

/** Reads the folder like `readContent`, and returns its documents as well, for `readEdits`. */
export function readContentDocuments(
  root: string,
  references: ContentReferences = {},
): { readonly content: Content; readonly documents: ContentDocuments } {
  const { content, problems, documents } = readFolderContents(root, references);
  if (content === null) throw new ContentError(problems);
  return { content, documents };
}

/** Reads and cross-checks the whole content folder; never throws for what is wrong with a file. */
export function readFolderContents(root: string, options: Rereading): FolderContents {
  const { images, articles, fixed, held, leftOut = NONE } = options;
  const absent = [...leftOut].map((file) => [file, undefined] as const);
  const folder = new ContentFolder(
    root,
    held === undefined && absent.length === 0 ? held : new Map([...(held ?? []), ...absent]),
  );
  const { problems, waits, documents } = folder;
  const known = fixed === undefined ? readPartnerFiles(folder) : { ...fixed, invalid: new Set<string>() };
  const { partners } = known;
  const site = readSite(folder, known);
  const authors = readAuthors(folder, known, images);
  const brand = fixed?.brand ?? readBrand(root, folder, images);
  const claims = readClaims(folder);
  if (site !== undefined) checkSite(folder, site, { ...known, authors, claims });
  const plans = readPlans(folder, known, buildClaimFigures(claims));
  const figures =
    plans === undefined ? undefined : buildFigures(plans, claims, site?.operator, listNames(partners));
  const assessment =
    plans === undefined || figures === undefined
      ? undefined
      : readAssessmentFile(
          folder,
          { ...known, claims, plans: new Set(plans.plans.map(({ key }) => key)) },
          figures,
        );
  const filled = site === undefined || figures === undefined ? undefined : fillSite(folder, site, figures);
  const pages =
    plans === undefined || figures === undefined
      ? new Map<string, Page>()
      : readPageFiles(folder, {
          ...known,
          figures,
          calculators: Object.keys(plans.calculators),
          images,
          authors,
          aliases: site?.aliases ?? {},
        });
  checkLinkedPages(folder, leftOut);
  const redirects = readRedirectFiles(root, folder);
  if (problems.length > 0 || !filled || !plans || !figures || !assessment) {
    return { content: null, problems, waits, documents };
  }
  // When all files are right by themselves: a page that cannot be read is no page that is missing.
  const targets = { site: filled, pages, authors, partners, articles, leftOut: listPaths(leftOut) };
  const references = checkReferences({ ...targets, plans });
  problems.push(...references.map((problem) => folder.addLine(problem)));
  problems.push(...checkRedirects(redirects, targets));
  const author = findAuthor(authors, filled.author)?.name ?? filled.author;
  const content: Content = {
    site: { ...filled, author },
    partners,
    authors,
    brand,
    claims,
    plans,
    figures,
    assessment,
    images: images ?? NO_IMAGES,
    pages,
    redirects: new Map(redirects.map(({ from, to }) => [from, to])),
  };
  return { content: problems.length > 0 ? null : content, problems, waits, documents };
}

/** The paths of files of pages: `pages/help.yaml` is `/help`. */
const listPaths = (files: ReadonlySet<string>) =>
  new Set([...files].map((file) => buildPagePath(file.slice('pages/'.length, -'.yaml'.length))));

function readSite(folder: ContentFolder, known: KnownPartners): SiteDetails | undefined {
  return folder.readFile(SITE_FILE, siteSchema, (raw, report) => {
    for (const { path, reason } of checkPartnerLinks(raw, known)) report(path, reason);
    return raw;
  });
}

function readPlans(
  folder: ContentFolder,
  { partners, invalid }: KnownPartners,
  claims: Figures,
): Plans | undefined {
  const plans = folder.readFile('plans.yaml', plansSchema, (raw, report) =>
    fillFigures(raw, claims, (name, at) => report(at, `there is no claim "{${name}}"`)),
  );
  if (plans !== undefined && !partners.has(plans.partner) && !invalid.has(plans.partner)) {
    const reason = `no partner is called "${plans.partner}"`;
    folder.openReport('plans.yaml', plans)(['partner'], reason);
  }
  return plans;
}

/** Reads what a running site keeps until its next start. Throws `ContentError`. */
export function readFixedContent(root: string): FixedContent {
  const folder = new ContentFolder(root);
  const { partners } = readPartnerFiles(folder);
  const brand = readBrand(root, folder, undefined);
  folder.finish();
  return { partners, brand };
}

/** Reports the names in `site.yaml` that no other file defines. */
function checkSite(
  folder: ContentFolder,
  site: SiteDetails,
  known: ReturnType<typeof readPartnerFiles> & Pick<Content, 'authors' | 'claims'>,
): void {
  const { partners, invalid, authors, claims } = known;
  const report = folder.openReport(SITE_FILE, site);
  if (!partners.has(site.promotedPartner) && !invalid.has(site.promotedPartner))
    report(['promotedPartner'], `no partner is called "${site.promotedPartner}"`);
  if (findAuthor(authors, site.author) === undefined)
    report(['author'], `no file in content/authors/ is called "${site.author}"`);
  site.blog.hero.stats.forEach((key, index) => {
    if (!claims.has(key)) report(['blog', 'hero', 'stats', index], `no claim is called "${key}"`);
  });
}

/** In the order of the files. */
const listNames = (partners: ReadonlyMap<string, { readonly name: string }>) =>
  [...partners.values()].map(({ name }) => name);

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

const ASSESSMENT_FILE = 'assessment.yaml';

/** Reads the assessment, checks what it names against the other files, and puts the figures in their places. */
function readAssessmentFile(
  folder: ContentFolder,
  found: AssessmentReferences,
  figures: Figures,
): Assessment | undefined {
  const assessment = folder.readFile(ASSESSMENT_FILE, assessmentSchema, (raw, report) =>
    fillFigures(raw, figures, (name, at) => report(at, `there is no figure "{${name}}"`)),
  );
  if (assessment === undefined) return undefined;
  const report = folder.openReport(ASSESSMENT_FILE, assessment);
  for (const { path, reason } of checkAssessment(assessment, found)) report(path, reason);
  return assessment;
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

const BRAND_FILE = 'brand.yaml';

/** Reads `brand.yaml`; the shipped look without it. `images`: what it may refer to; undefined: not checked. */
function readBrand(root: string, folder: ContentFolder, images: ImageCatalog | undefined): Brand {
  const brand = existsSync(path.join(root, BRAND_FILE))
    ? folder.readFile(BRAND_FILE, brandSchema, (raw) => raw ?? {})
    : undefined;
  if (brand === undefined) return brandSchema.parse({});
  const report = folder.openReport(BRAND_FILE, brand);
  for (const { field, reason } of buildBrandStyles(brand).problems) report(field.split('.'), reason);
  const { logo, favicon, socialImage } = brand;
  for (const [field, src] of Object.entries({ 'logo.src': logo?.src, favicon, socialImage })) {
    const found = src !== undefined && images !== undefined ? findContentImage(src, images) : null;
    if (found !== null && 'problem' in found) report(field.split('.'), found.problem);
  }
  return brand;
}

/** Reads the settings of the brand for a build. Throws `ContentError` when the file is invalid. */
export function readBrandSettings(root: string): Brand {
  const folder = new ContentFolder(root);
  const brand = readBrand(root, folder, undefined);
  folder.finish();
  return brand;
}

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
  return { partners, invalid };
}
