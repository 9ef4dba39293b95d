import type { ArticleCard } from '../core/articles/article.ts';
import type { Page } from '../core/content/page.schema.ts';
import type { PageContext } from '../core/content/page-context.ts';
import { readContactForm } from './contact/read-contact-form.ts';
import type { Services } from './services.ts';

/** Gathers what a page's sections show besides their own document, and the status that the answer has. */
export async function readPageContext(
  services: Services,
  page: Page,
  path: string,
  request: Request,
): Promise<{ readonly context: PageContext; readonly status: number }> {
  const { site, plans } = services.content;
  const contact = await readContactForm(services.contact, page, path, request);
  const teasers = await readTeasers(services, page);
  const context = { path, site, plans, calls: page.calls, teasers, form: contact?.form ?? null };
  return { context, status: contact?.status ?? (request.method === 'POST' ? 405 : 200) };
}

/** The articles that the page's teasers name, or the newest. A source that is down leaves the section out. */
async function readTeasers({ articles }: Services, page: Page): Promise<readonly ArticleCard[]> {
  const sections = page.sections.filter((section) => section.type === 'article-teasers');
  if (sections.length === 0) return [];
  const limit = Math.max(...sections.map(({ count }) => count));
  const slugs = sections.flatMap((section) => section.slugs ?? []);
  const isWanted = sections.some((section) => section.slugs === undefined);
  const [newest, ...named] = await Promise.all([
    isWanted
      ? articles.list({ page: 1, limit }).then(
          (list) => list.articles,
          () => [],
        )
      : [],
    ...slugs.map((slug) => articles.get(slug).catch(() => null)),
  ]);
  return [...newest, ...named.filter((article) => article !== null)];
}
