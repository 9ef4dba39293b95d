import type { ArticleSummary } from '../../core/articles/article.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { OWN_SITE } from '../../core/outbound/beside.schema.ts';
import { findRequestedPiece, leadTarget } from '../../core/pages/addresses.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildArticlePath, HOME_PATH, trimAddress } from '../../core/paths.ts';
import { findOnlySite } from '../../server/outbound/beside.ts';
import { type BesidePage, readBesidePages } from '../../server/outbound/beside-pages.ts';
import type { Site } from '../../server/site.ts';

/** Something that happened on a day, `YYYY-MM-DD`. */
export interface PageChange {
  readonly day: string;
  readonly text: string;
}

/** A question of the assessment with the codes that stored answers have. */
export interface CodedQuestion {
  readonly field: string;
  readonly title: string;
  readonly options: readonly { readonly code: string; readonly label: string }[];
}

/** What the content calls the things that stored data name by a key. */
export interface SiteNames {
  /** Titles of pages by path. */
  readonly pages: ReadonlyMap<string, string>;
  readonly partners: ReadonlyMap<string, string>;
  /** This site and those beside it, as filters name them. */
  readonly sites: ReadonlyMap<string, string>;
  /** Labels of the topics of contact forms by key. */
  readonly topics: ReadonlyMap<string, string>;
  /** In the order of the steps. */
  readonly questions: readonly CodedQuestion[];
}

/** Reads what the content calls pages, partners, topics and answers at the moment. */
export function readSiteNames(site: Site): SiteNames {
  const content = site.content.read();
  const { articles } = site.content;
  return {
    pages: new Map([
      ...[...content.pages].map(([path, { title }]) => [leadTarget(path, content.addresses), title] as const),
      [HOME_PATH, 'Front page'],
      [BLOG_PATH, 'Blog'],
      [ASSESSMENT_PATH, 'Assessment'],
      ...articles.getSummaries().map((article) => [buildArticlePath(article), article.title] as const),
    ]),
    partners: new Map([...content.partners].map(([key, { name }]) => [key, name])),
    sites: new Map([
      ...(findOnlySite(site) === null ? [[OWN_SITE, content.site.name] as const] : []),
      ...content.beside.hosts.map(({ name, address }) => [new URL(address).host, name] as const),
    ]),
    topics: new Map(
      [...content.pages.values()]
        .flatMap(({ sections }) => sections)
        .flatMap((section) => (section.type === 'contact-form' ? section.topics : []))
        .map(({ key, label }) => [key, label]),
    ),
    questions: content.assessment.questions.map(({ field, title, options }) => ({
      field,
      title,
      options: options.map(({ code, label }) => ({ code: code ?? 'unknown', label })),
    })),
  };
}

/** Titles of our pages and those of listed sites, by path, of the others with their host. Rejects with `LedgerError`. */
export async function readTitles(site: Site): Promise<SiteNames['pages']> {
  const others = [...(await readBesidePages(site))].filter(([, { title }]) => title !== '');
  return new Map([
    ...readSiteNames(site).pages,
    ...others.map(([page, { title }]) => [page, title] as const),
  ]);
}

/** Every page of the site with its file below the content folder. */
export function listSitePages(site: Site) {
  const { settings } = site;
  const content = site.content.read();
  const { articles } = site.content;
  const isBuiltIn = settings.ARTICLE_SOURCE === 'files';
  return [
    { path: HOME_PATH, title: content.site.name, file: 'site.yaml' },
    { path: BLOG_PATH, title: 'Blog', file: 'site.yaml' },
    { path: ASSESSMENT_PATH, title: content.assessment.copy.title, file: 'assessment.yaml' },
    ...[...content.pages].map(([address, page]) => ({
      path: leadTarget(address, content.addresses),
      title: page.title,
      file: `pages${address}.yaml`,
    })),
    ...articles.getSummaries().map((article) => ({
      path: buildArticlePath(article),
      title: article.title,
      file: isBuiltIn ? `articles/${article.slug}.md` : '',
    })),
  ];
}

/** When one page or article was published and changed. Rejects with `LedgerError`. */
export async function readPageChanges(site: Site, path: string): Promise<readonly PageChange[]> {
  const other = (await readBesidePages(site)).get(path);
  if (other !== undefined) return listDays(other);
  const { settings } = site;
  const content = site.content.read();
  const { articles } = site.content;
  const own = findRequestedPiece(content.addresses, trimAddress(path));
  const updated = content.pages.get(own?.path ?? path)?.updated;
  if (updated !== undefined) return [{ day: updated, text: 'Updated' }];
  const article = articles.getSummaries().find((one) => buildArticlePath(one) === path);
  return article === undefined ? [] : listChanges(article, settings.TIME_ZONE);
}

function listChanges({ publishedAt, updatedAt }: ArticleSummary, timeZone: string): readonly PageChange[] {
  const published = getLocalDay(Date.parse(publishedAt), timeZone);
  return listDays({ published, updated: getLocalDay(Date.parse(updatedAt), timeZone) });
}

const listDays = ({ published, updated }: Pick<BesidePage, 'published' | 'updated'>) => [
  ...(published === '' ? [] : [{ day: published, text: 'Published' }]),
  ...(updated > published ? [{ day: updated, text: 'Updated' }] : []),
];
