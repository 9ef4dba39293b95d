import {
  type ArticleGroup,
  buildGroups,
  type FoundGroup,
  type GroupKind,
  type GroupView,
} from '../../core/articles/article-groups.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { parseListAddress } from '../../core/articles/list-address.ts';
import type { Site } from '../../core/pages/site.schema.ts';
import { buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { type Articles, readSummaries } from './articles.ts';
import { pickListed } from './read-list.ts';

const PER_PAGE = 24;

/** Reads one page of the articles of a topic or tag. A failing source is a state, not a rejection. */
export async function readGroup(
  articles: Articles,
  request: { readonly kind: GroupKind; readonly slug: string; readonly query: URLSearchParams },
  site: Site,
): Promise<GroupView> {
  const { kind } = request;
  try {
    const groups = buildGroups(await readSummaries(articles), kind);
    const group = groups.find(({ slug }) => slug === request.slug);
    if (group === undefined) return { kind: 'absent' };
    const view = buildPage(group, kind, parseListAddress(request.query).page, site);
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
    path: buildGroupPath(kind, group.slug),
    count: group.articles.length,
    page,
    lastPage: Math.ceil(group.articles.length / PER_PAGE),
    articles: group.articles.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(pickListed),
  };
}
