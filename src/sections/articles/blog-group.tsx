import { Fragment } from 'react';
import { buildCardContent } from '../../core/articles/article-copy.ts';
import type { FoundGroup, GroupView } from '../../core/articles/article-groups.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { BLOG_PATH, buildAddress, buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { ArticleCard } from '../../ui/cards/article-card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Container } from '../../ui/section.tsx';

/** The articles of a topic or tag as rows, with links to all topics beside them. */
export function BlogGroup(props: {
  readonly view: GroupView;
  readonly path: string;
  readonly topics: SiteDetails['blog']['topics'];
}) {
  const { view, path, topics } = props;
  const columnsClass = 'lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)] lg:gap-x-[clamp(3rem,6vw,5.5rem)]';
  return (
    <Container className={`py-[clamp(1.5rem,4vw,4rem)] wrap-anywhere ${columnsClass}`}>
      <div className="lg:col-start-2">
        {view.kind === 'found' && <FoundArticles view={view} />}
        {view.kind === 'failed' && (
          <>
            <h1 className="text-4xl">Articles by topic</h1>
            <LoadError
              message="Failed to load articles. Please try again."
              href={path}
              retryAt={view.retrySeconds * 1_000}
            />
          </>
        )}
        {view.kind === 'absent' && (
          <>
            <h1 className="text-4xl">No articles available</h1>
            <p className="mt-4 text-lg text-muted">
              No article has this topic or tag. <a href={BLOG_PATH}>Show all articles</a>
            </p>
          </>
        )}
      </div>
      <TopicLinks topics={topics} path={path} />
    </Container>
  );
}

function FoundArticles({ view }: { readonly view: FoundGroup }) {
  const { name, group, description, count, articles } = view;
  return (
    <>
      <p className="tabular text-muted">
        {`${group === 'topic' ? 'Topic' : 'Tag'} · ${count} ${count === 1 ? 'article' : 'articles'}`}
      </p>
      <h1 className="mt-2 text-4xl">{group === 'topic' ? name : `#${name}`}</h1>
      {description !== '' && <p className="mt-4 max-w-text text-lg text-muted">{description}</p>}
      <div className="cards cards-rows mt-8">
        {articles.map((article, index) => (
          <ArticleCard
            key={article.slug}
            content={buildCardContent(article, articles)}
            isFirst={index === 0}
          />
        ))}
      </div>
      <Pages view={view} />
    </>
  );
}

function Pages({ view: { path, page, lastPage } }: { readonly view: FoundGroup }) {
  if (lastPage === 1) return null;
  return (
    <nav
      aria-label="Pages"
      className="tabular mt-8 flex items-center justify-between gap-6 border-t border-line pt-6"
    >
      <span>
        {page > 1 && (
          <a href={buildAddress(path, { page: page === 2 ? undefined : page - 1 })}>Newer articles</a>
        )}
      </span>
      <span className="text-muted">{`Page ${page} of ${lastPage}`}</span>
      <span>{page < lastPage && <a href={buildAddress(path, { page: page + 1 })}>Older articles</a>}</span>
    </nav>
  );
}

const TOPIC_LINK_CLASSES =
  'flex-none py-[0.6rem] text-muted no-underline hover:text-ink aria-[current]:text-ink ' +
  'aria-[current]:[box-shadow:inset_0_-2px_var(--accent)] lg:border-b lg:border-line ' +
  'lg:aria-[current]:pl-3 lg:aria-[current]:[box-shadow:inset_2px_0_var(--accent)]';

function TopicLinks(props: { readonly topics: SiteDetails['blog']['topics']; readonly path: string }) {
  return (
    <nav
      aria-label="Topics"
      className="mt-10 flex gap-x-6 overflow-x-auto border-t border-line lg:sticky lg:top-22 lg:col-start-1 lg:row-start-1 lg:mt-0 lg:grid lg:self-start lg:border-0"
    >
      <a href={BLOG_PATH} className={TOPIC_LINK_CLASSES}>
        All articles
      </a>{' '}
      {props.topics.map(({ name }) => {
        const href = buildGroupPath('topic', buildSlug(name));
        return (
          <Fragment key={name}>
            <a
              href={href}
              aria-current={href === props.path ? 'page' : undefined}
              className={TOPIC_LINK_CLASSES}
            >
              {name}
            </a>{' '}
          </Fragment>
        );
      })}
    </nav>
  );
}
