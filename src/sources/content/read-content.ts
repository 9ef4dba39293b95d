import { findAuthor } from '../../core/articles/find-author.ts';
import { checkReferences } from '../../core/pages/check-references.ts';
import { type Claim, claimFileSchema } from '../../core/pages/claim.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import { ContentError } from '../../core/pages/content-error.ts';
import { type ImageCatalog, NO_IMAGES } from '../../core/pages/content-image.ts';
import { describeField } from '../../core/pages/describe-field.ts';
import { buildFigures, type Figures, fillFigures } from '../../core/pages/figures.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import { checkPartnerLinks, type KnownPartners } from '../../core/pages/partner-link-check.ts';
import { applyRenames, SITE_RENAMES } from '../../core/pages/renamed-keys.ts';
import { type Site, siteSchema } from '../../core/pages/site.schema.ts';
import { type Plans, plansSchema } from '../../core/savings/plans.schema.ts';
import { type ContentDocuments, ContentFolder } from './content-folder.ts';
import { readAssessment } from './read-assessment.ts';
import { readAuthors } from './read-authors.ts';
import { readBrand } from './read-brand.ts';
import { checkLinkedPages, readPages } from './read-pages.ts';
import { readPartners } from './read-partners.ts';

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
}

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
  const { images, articles, fixed, held } = options;
  const folder = new ContentFolder(root, held);
  const { problems, waits, documents } = folder;
  const known = fixed === undefined ? readPartners(folder) : { ...fixed, invalid: new Set<string>() };
  const { partners } = known;
  const site = readSite(folder, known);
  const authors = readAuthors(folder, known, images);
  const brand = fixed?.brand ?? readBrand(root, folder, images);
  const claims = readClaims(folder);
  if (site !== undefined) checkSite(folder, site, { ...known, authors, claims });
  const plans = readPlans(folder, known);
  const figures =
    plans === undefined ? undefined : buildFigures(plans, claims, site?.operator, listNames(partners));
  const assessment =
    figures === undefined ? undefined : readAssessment(folder, { ...known, claims }, figures);
  const filled = site === undefined || figures === undefined ? undefined : fillSite(folder, site, figures);
  const pages =
    plans === undefined || figures === undefined
      ? new Map<string, Page>()
      : readPages(folder, {
          ...known,
          figures,
          calculators: Object.keys(plans.calculators),
          images,
          authors,
          aliases: site?.aliases ?? {},
        });
  checkLinkedPages(folder);
  if (problems.length > 0 || !filled || !plans || !figures || !assessment) {
    return { content: null, problems, waits, documents };
  }
  // When all files are right by themselves: a page that cannot be read is no page that is missing.
  problems.push(...checkReferences({ site: filled, pages, authors, partners, plans, articles }));
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
  };
  return { content: problems.length > 0 ? null : content, problems, waits, documents };
}

function readSite(folder: ContentFolder, known: KnownPartners): Site | undefined {
  return folder.readFile(SITE_FILE, siteSchema, (raw, report) => {
    const renamed = applyRenames(raw, SITE_RENAMES, report);
    for (const { path, reason } of checkPartnerLinks(renamed, known)) report(path, reason);
    return renamed;
  });
}

function readPlans(folder: ContentFolder, { partners, invalid }: KnownPartners): Plans | undefined {
  const plans = folder.readFile('plans.yaml', plansSchema);
  if (plans !== undefined && !partners.has(plans.partner) && !invalid.has(plans.partner)) {
    const reason = `no partner is called "${plans.partner}"`;
    folder.problems.push({ file: 'plans.yaml', field: 'partner', reason });
  }
  return plans;
}

/** Reads what a running site keeps until its next start. Throws `ContentError`. */
export function readFixedContent(root: string): FixedContent {
  const folder = new ContentFolder(root);
  const { partners } = readPartners(folder);
  const brand = readBrand(root, folder, undefined);
  folder.finish();
  return { partners, brand };
}

/** Reports the names in `site.yaml` that no other file defines. */
function checkSite(
  folder: ContentFolder,
  site: Site,
  known: ReturnType<typeof readPartners> & Pick<Content, 'authors' | 'claims'>,
): void {
  const { partners, invalid, authors, claims } = known;
  const report = (field: string, reason: string) => folder.problems.push({ file: SITE_FILE, field, reason });
  if (!partners.has(site.promotedPartner) && !invalid.has(site.promotedPartner))
    report('promotedPartner', `no partner is called "${site.promotedPartner}"`);
  if (findAuthor(authors, site.author) === undefined)
    report('author', `no file in content/authors/ is called "${site.author}"`);
  site.blog.hero.stats.forEach((key, index) => {
    if (!claims.has(key)) report(`blog.hero.stats.${index + 1}`, `no claim is called "${key}"`);
  });
}

/** In the order of the files. */
const listNames = (partners: ReadonlyMap<string, { readonly name: string }>) =>
  [...partners.values()].map(({ name }) => name);

function fillSite(folder: ContentFolder, site: Site, figures: Figures): Site {
  return fillFigures(site, figures, (name, at) => {
    const field = describeField(site, at);
    folder.problems.push({ file: SITE_FILE, field, reason: `there is no figure called {${name}}` });
  });
}

function readClaims(folder: ContentFolder): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const [name, file] of folder.readFolder('claims', claimFileSchema)) {
    for (const [key, claim] of Object.entries(file)) {
      if (claims.has(key)) {
        folder.problems.push({
          file: `claims/${name}.yaml`,
          field: key,
          reason: 'another file has this key already',
        });
      }
      claims.set(key, { ...claim, key });
    }
  }
  return claims;
}
