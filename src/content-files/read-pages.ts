import type { z } from 'zod';
import type { Author } from '../core/articles/author.schema.ts';
import { listPartnerPaths } from '../core/outbound/partner.ts';
import {
  type AgedFigures,
  describeAgedCharges,
  type Figures,
  fillFigures,
  listNames,
  listTexts,
} from '../core/pages/claims/placeholders.ts';
import { findDraftPlaceholder } from '../core/pages/drafts.ts';
import {
  findContentImage,
  type ImageCatalog,
  listImageReferences,
} from '../core/pages/images/content-image.ts';
import { type Page, pageSchema } from '../core/pages/page.schema.ts';
import { checkPartnerLinks, type KnownPartners, listTextTargets } from '../core/pages/partner-link-check.ts';
import { updateDrawings } from '../core/pages/sections/drawing.schema.ts';
import { buildLog } from '../core/pages/updates.ts';
import { buildPagePath, isReservedPath, LINKED_PAGES } from '../core/paths.ts';
import {
  findCriteriaFaults,
  findProductFaults,
  findRatingFaults,
  isProductSection,
} from '../core/products/compare.ts';
import { SEE_PRICE } from '../core/products/price.ts';
import { findProductOf, type Product } from '../core/products/product.ts';
import type { ContentFolder, Report } from './content-folder.ts';

/** What the other content files say that pages are checked against. */
export interface PageReferences extends KnownPartners {
  /** What is shown, see `Content`. */
  readonly figures: Figures;
  readonly aged: AgedFigures;
  /** Keys of the savings calculators. */
  readonly calculators: readonly string[];
  readonly authors: ReadonlyMap<string, Author>;
  readonly products: ReadonlyMap<string, Product>;
  /** Key of the partner that pages without one of their own are about. */
  readonly promotedPartner: string | undefined;
  /** undefined: not checked. */
  readonly images?: ImageCatalog | undefined;
  /** Paths that lead elsewhere, by path. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** Reads `pages/*.yaml` with every figure in its place; the pages by path. */
export function readPageFiles(folder: ContentFolder, references: PageReferences): Map<string, Page> {
  const { figures, aged, calculators, images, aliases, partners } = references;
  const cited = [...figures].flatMap(([name, text]) =>
    name.endsWith('.source') || name === 'partners:commissions' ? listTextTargets(text) : [],
  );
  const known = { ...references, sources: new Set(cited) };
  const files = folder.readFolder('pages', pageSchema, (raw, report, wait) => {
    const page = fillFigures(updateDrawings(raw), aged.listed, (name, at) =>
      report(at, `nothing is called {${name}}`),
    );
    for (const { path, reason } of checkPartnerLinks(page, known)) report(path, reason);
    if (images !== undefined) checkImages(page, images, report, wait);
    checkCalculators(page, calculators, report);
    checkAuthors(page, references.authors, report);
    if (Object(page).draft !== true) checkPlaceholders(page, report);
    return page;
  });
  const partnerPaths = listPartnerPaths(partners);
  const pages = new Map<string, Page>();
  for (const [name, page] of files) {
    const path = buildPagePath(name);
    const report = (reason: string) =>
      folder.problems.push({ file: `pages/${name}.yaml`, field: '', reason });
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
      report('the file name may have only a-z, 0-9 and single hyphens');
    else if (isReservedPath(path)) report(`the site responds at ${path} itself: give the file another name`);
    else if (Object.hasOwn(aliases, path))
      report(`site.yaml has an alias ${path}: give the file another name`);
    else if (partnerPaths.includes(path)) report(`${path} leads to a partner: give the file another name`);
    checkProducts(page, references, folder.openReport(`pages/${name}.yaml`, page));
    const raw = folder.documents.get(`pages/${name}.yaml`);
    const shown = fillShown(raw, pageSchema, page, { figures, listed: aged.listed });
    const updates = [
      ...buildLog(shown.updates, raw, aged.changes ?? new Map(), shown.publishedAt?.slice(0, 10)),
    ];
    const updated = [shown.updated ?? '', updates[0]?.date ?? ''].sort()[1] || undefined;
    pages.set(path, { ...shown, updates, updated, sections: noteAgedCharges(shown.sections, raw, aged) });
  }
  return pages;
}

/** Adds the day of the charges past their age to the note of each section that names one. */
function noteAgedCharges(sections: Page['sections'], raw: unknown, aged: AgedFigures): Page['sections'] {
  const written: unknown = Object(raw).sections;
  const days = describeAgedCharges(Array.isArray(written) ? written : [], aged);
  return sections.map((section, index) => {
    const day = days[index] ?? '';
    return day === '' || section.type === 'section-nav'
      ? section
      : { ...section, note: [section.note, day].filter(Boolean).join(' ') };
  });
}

/**
 * Fills what visitors see into content that is valid with the figures as listed. Where `see price` is too long for a field,
 * a dash stands for the price.
 */
export function fillShown<S extends z.ZodType>(
  raw: unknown,
  schema: S,
  valid: z.output<S>,
  { figures, listed }: { readonly figures: Figures; readonly listed: Figures },
): z.output<S> {
  const names = listTexts(raw).flatMap(({ text }) => listNames(text));
  if (names.every((name) => figures.get(name) === listed.get(name))) return valid;
  const shown = fillFigures(raw, figures, ignore);
  const first = schema.safeParse(shown);
  if (first.success) return first.data;
  const dashed = fillFigures(raw, buildDashed(figures), ignore);
  for (const { path } of first.error.issues) {
    const last = path.at(-1);
    const find = (of: unknown) => path.slice(0, -1).reduce<unknown>((found, key) => Object(found)[key], of);
    if (last !== undefined) Reflect.set(Object(find(shown)), last, Object(find(dashed))[last]);
  }
  const second = schema.safeParse(shown);
  return second.success ? second.data : valid;
}

const ignore = () => undefined;

/** Figures with the shortest text for a price that is too old. */
export const buildDashed = (figures: Figures): Figures =>
  new Map([...figures].map(([name, text]) => [name, text.includes(SEE_PRICE) ? '–' : text]));

/** Reports the pages that the site's own copy links to and that are missing. `leftOut`: files that are invalid. */
export function checkLinkedPages(folder: ContentFolder, leftOut: ReadonlySet<string>): void {
  const names = folder.listNames('pages');
  for (const path of LINKED_PAGES) {
    if (names.some((name) => buildPagePath(name) === path) || leftOut.has(`pages${path}.yaml`)) continue;
    folder.problems.push({
      file: `pages${path}.yaml`,
      field: '',
      reason: 'is missing: the site links to it',
    });
  }
}

/** Reports the images that a document names and the build does not have. */
export function checkImages(raw: unknown, images: ImageCatalog, report: Report, wait: Report): void {
  for (const { path, src } of listImageReferences(raw)) {
    const found = findContentImage(src, images);
    if ('image' in found) continue;
    if (found.needsBuild) wait(path, found.problem);
    else report(path, found.problem);
  }
}

function checkCalculators(raw: unknown, known: readonly string[], report: Report): void {
  for (const [index, { calculator: own, figure }] of listSections(raw).entries()) {
    const calculator = own ?? Object(figure).calculator;
    if (calculator === undefined || known.includes(calculator)) continue;
    report(
      ['sections', index, ...(own === undefined ? ['figure'] : []), 'calculator'],
      `there is no calculator "${calculator}"; calculators.yaml has ${known.join(', ')}`,
    );
  }
}

function checkAuthors(raw: unknown, known: ReadonlyMap<string, Author>, report: Report): void {
  for (const [index, { type, author }] of listSections(raw).entries()) {
    if (type !== 'author' || typeof author !== 'string' || known.has(author)) continue;
    report(['sections', index, 'author'], `there is no author "${author}"`);
  }
}

/** Reports products and offers that do not exist, scores on different criteria, and ratings that are not a product's. */
function checkProducts(page: Page, { products, promotedPartner }: PageReferences, report: Report): void {
  const partner = page.cta?.partner ?? promotedPartner;
  const product = findProductOf(products, partner);
  // A draft may name products that are drafts too.
  if (page.draft) return;
  page.sections.forEach((section, index) => {
    if (section.type === 'ratings') {
      for (const { path, reason } of findRatingFaults(section.items, product))
        report(['sections', index, 'items', ...path], reason);
    }
    if (section.type === 'criteria-table') {
      for (const { path, reason } of findCriteriaFaults(section, products))
        report(['sections', index, ...path], reason);
    }
    if (!isProductSection(section)) return;
    for (const { path, reason } of findProductFaults(section, products))
      report(['sections', index, ...path], reason);
  });
}

/** The sections of a page that is not checked yet, as objects of any form. */
function listSections(raw: unknown) {
  const { sections } = Object(raw);
  return Array.isArray(sections) ? sections.map((section) => Object(section)) : [];
}

/** Reports the texts of a published page that `signpost new` wrote for the author to replace. */
export function checkPlaceholders(page: unknown, report: Report): void {
  for (const { text, path } of listTexts(page)) {
    const reason = findDraftPlaceholder(text);
    if (reason !== null) report(path, reason);
  }
}
