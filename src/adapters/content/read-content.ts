import { findAuthor } from '../../core/articles/find-author.ts';
import type { Claim } from '../../core/pages/claim.schema.ts';
import { claimFileSchema } from '../../core/pages/claim.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import { type ImageCatalog, NO_IMAGES } from '../../core/pages/content-image.ts';
import { buildFigures, type Figures, fillFigures } from '../../core/pages/figures.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import { checkPartnerLinks } from '../../core/pages/partner-link-check.ts';
import { applyRenames, SITE_RENAMES } from '../../core/pages/renamed-keys.ts';
import { type Site, siteSchema } from '../../core/pages/site.schema.ts';
import { plansSchema } from '../../core/savings/plans.schema.ts';
import { type ContentFolder, createContentFolder } from './content-folder.ts';
import { readAssessment } from './read-assessment.ts';
import { readAuthors } from './read-authors.ts';
import { readBrand } from './read-brand.ts';
import { checkLinkedPages, readPages } from './read-pages.ts';
import { readPartners } from './read-partners.ts';

/** What a running site keeps until its next start, whatever the files say. */
export type FixedContent = Pick<Content, 'brand' | 'partners'>;

/**
 * Reads and cross-checks the whole content folder. Throws `ContentError` with everything that is wrong.
 * `images`: what pages may refer to; undefined: not checked, for commands that show no page.
 * `fixed`: used instead of the files of brand and partners, which are not read.
 */
export function readContent(root: string, images?: ImageCatalog, fixed?: FixedContent): Content {
  const folder = createContentFolder(root);
  const known = fixed === undefined ? readPartners(folder) : { ...fixed, invalid: new Set<string>() };
  const { partners } = known;
  const site = folder.readFile('site.yaml', siteSchema, (raw, report) => {
    const renamed = applyRenames(raw, SITE_RENAMES, report);
    for (const { path, reason } of checkPartnerLinks(renamed, known)) report(path, reason);
    return renamed;
  });
  const authors = readAuthors(folder, images);
  const brand = fixed?.brand ?? readBrand(root, folder, images);
  const claims = readClaims(folder);
  if (site !== undefined) checkSite(folder, site, { ...known, authors, claims });
  const plans = folder.readFile('plans.yaml', plansSchema);
  if (plans !== undefined && !partners.has(plans.partner) && !known.invalid.has(plans.partner)) {
    const reason = `no partner is called "${plans.partner}"`;
    folder.problems.push({ file: 'plans.yaml', field: 'partner', reason });
  }
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
  folder.finish();
  if (filled === undefined || plans === undefined || figures === undefined || assessment === undefined) {
    throw new Error('[content] a file was neither read nor reported');
  }
  const author = findAuthor(authors, filled.author)?.name ?? filled.author;
  return {
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
}

/** Reads what a running site keeps until its next start. Throws `ContentError`. */
export function readFixedContent(root: string): FixedContent {
  const folder = createContentFolder(root);
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
  const report = (field: string, reason: string) =>
    folder.problems.push({ file: 'site.yaml', field, reason });
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
  return fillFigures(site, figures, (name) =>
    folder.problems.push({ file: 'site.yaml', field: '', reason: `there is no figure called {${name}}` }),
  );
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
