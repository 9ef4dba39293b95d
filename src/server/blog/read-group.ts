import { parseListAddress } from '../../core/articles/article-list.ts';
import { buildSlug } from '../../core/articles/article-slug.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import type { FoundGroup, GroupKind, GroupView } from '../../core/articles/group-view.ts';
import { type ArticleGroup, buildGroups } from '../../core/articles/neighbours.ts';
import type { Site } from '../../core/content/site.schema.ts';
import type { Articles } from '../articles.ts';
import { readCatalogue } from './read-catalogue.ts';
import { pickListed } from './read-list.ts';

const PER_PAGE = 24;

/** Reads one page of the articles of a topic or tag. Never rejects because of the source: that is a state. */
export async function readGroup(
  articles: Articles,
  wanted: { readonly kind: GroupKind; readonly slug: string; readonly query: URLSearchParams },
  site: Site,
): Promise<GroupView> {
  try {
    const groups = buildGroups(
      await readCatalogue(articles),
      wanted.kind === 'topic' ? 'categories' : 'tags',
    );
    const group = groups.find(({ slug }) => slug === wanted.slug);
    if (group === undefined) return { kind: 'absent' };
    const view = buildPage(group, wanted.kind, parseListAddress(wanted.query).page, site);
    return view.articles.length === 0 ? { kind: 'absent' } : view;
  } catch (error) {
    if (error instanceof ArticleSourceError) return { kind: 'failed' };
    throw error;
  }
}

function buildPage(group: ArticleGroup, kind: GroupKind, page: number, site: Site): FoundGroup {
  const topic = site.blog.topics.find(({ name }) => buildSlug(name) === group.slug);
  return {
    kind: 'found',
    group: kind,
    name: group.name,
    description: kind === 'topic' ? (topic?.description ?? '') : '',
    path: `/blog/${kind}/${group.slug}`,
    count: group.cards.length,
    page,
    lastPage: Math.ceil(group.cards.length / PER_PAGE),
    articles: group.cards.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(pickListed),
  };
}
