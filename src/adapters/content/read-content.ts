import type { Claim } from '../../core/content/claim.schema.ts';
import { claimFileSchema } from '../../core/content/claim.schema.ts';
import type { Content } from '../../core/content/content.ts';
import { buildFigures, type Figures, fillFigures } from '../../core/content/figures.ts';
import type { Page } from '../../core/content/page.schema.ts';
import { plansSchema } from '../../core/content/plans.schema.ts';
import { type Site, siteSchema } from '../../core/content/site.schema.ts';
import { partnerSchema } from '../../core/partners/partner.schema.ts';
import type { Partner } from '../../core/partners/partner.ts';
import { type ContentFolder, createContentFolder } from './content-folder.ts';
import { readAssessment } from './read-assessment.ts';
import { readPages } from './read-pages.ts';

/** Reads and cross-checks the whole content folder. Throws `ContentError` with everything that is wrong. */
export function readContent(root: string): Content {
  const folder = createContentFolder(root);
  const site = folder.readFile('site.yaml', siteSchema);
  const partners = readPartners(folder);
  const claims = readClaims(folder);
  if (site !== undefined) {
    const report = (field: string, reason: string) =>
      folder.problems.push({ file: 'site.yaml', field, reason });
    if (!partners.has(site.promotedPartner))
      report('promotedPartner', `no partner is called "${site.promotedPartner}"`);
    site.blog.hero.stats.forEach((key, index) => {
      if (!claims.has(key)) report(`blog.hero.stats.${index + 1}`, `no claim is called "${key}"`);
    });
  }
  const plans = folder.readFile('plans.yaml', plansSchema);
  const figures = plans === undefined ? undefined : buildFigures(plans, claims);
  const assessment =
    figures === undefined ? undefined : readAssessment(folder, { partners, claims }, figures);
  const filled = site === undefined || figures === undefined ? undefined : fillSite(folder, site, figures);
  const pages = figures === undefined ? new Map<string, Page>() : readPages(folder, figures, site?.aliases);
  folder.finish();
  if (filled === undefined || plans === undefined || figures === undefined || assessment === undefined) {
    throw new Error('[content] a file was neither read nor reported');
  }
  return { site: filled, partners, claims, plans, figures, assessment, pages };
}

function fillSite(folder: ContentFolder, site: Site, figures: Figures): Site {
  return fillFigures(site, figures, (name) =>
    folder.problems.push({ file: 'site.yaml', field: '', reason: `there is no figure called {${name}}` }),
  );
}

function readPartners(folder: ContentFolder): Map<string, Partner> {
  const files = folder.readFolder('partners', partnerSchema);
  for (const [name, partner] of files) {
    if (partner.key === name) continue;
    folder.problems.push({
      file: `partners/${name}.yaml`,
      field: 'key',
      reason: `must be the file's name, "${name}"`,
    });
  }
  return files;
}

function readClaims(folder: ContentFolder): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const [name, file] of folder.readFolder('claims', claimFileSchema)) {
    for (const [key, claim] of Object.entries(file)) {
      if (claims.has(key)) {
        folder.problems.push({
          file: `claims/${name}.yaml`,
          field: key,
          reason: 'this key stands in another file already',
        });
      }
      claims.set(key, { ...claim, key });
    }
  }
  return claims;
}
