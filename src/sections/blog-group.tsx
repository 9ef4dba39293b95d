import { buildSlug } from '../core/articles/article-slug.ts';
import type { FoundGroup, GroupView } from '../core/articles/group-view.ts';
import type { Site } from '../core/content/site.schema.ts';
import { ArticleCard } from '../islands/blog/article-card.tsx';
import { LoadError } from '../islands/blog/load-error.tsx';
import { Container } from '../ui/container.tsx';

/** The articles of a topic or tag as rows, with the hub's topics beside them. */
export function BlogGroup(props: {
  readonly view: GroupView;
  readonly path: string;
  readonly topics: Site['blog']['topics'];
}) {
  const { view, path, topics } = props;
  return (
    <Container className="group">
      <TopicLinks topics={topics} path={path} />
      <div>
        {view.kind === 'found' && <FoundArticles view={view} />}
        {view.kind === 'failed' && (
          <>
            <h1 className="text-4xl">Articles by topic</h1>
            <LoadError message="Failed to load articles. Please try again." href={path} />
          </>
        )}
        {view.kind === 'absent' && (
          <>
            <h1 className="text-4xl">No articles available</h1>
            <p className="mt-4 text-lg text-muted">
              There is nothing under this name. <a href="/blog">Show all articles</a>
            </p>
          </>
        )}
      </div>
    </Container>
  );
}

function FoundArticles({ view }: { readonly view: FoundGroup }) {
  const { name, group, description, count, articles } = view;
  return (
    <>
      <p className="n text-muted">
        {`${group === 'topic' ? 'Topic' : 'Tag'} · ${count} ${count === 1 ? 'article' : 'articles'}`}
      </p>
      <h1 className="mt-2 text-4xl">{group === 'topic' ? name : `#${name}`}</h1>
      {description !== '' && <p className="mt-4 max-w-text text-lg text-muted">{description}</p>}
      <div className="cards rows mt-8">
        {articles.map((article, index) => (
          <ArticleCard key={article.slug} article={article} isFirst={index === 0} />
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
      className="n mt-8 flex items-center justify-between gap-6 border-t border-line pt-6"
    >
      <span>{page > 1 && <a href={page === 2 ? path : `${path}?page=${page - 1}`}>Newer articles</a>}</span>
      <span className="text-muted">{`Page ${page} of ${lastPage}`}</span>
      <span>{page < lastPage && <a href={`${path}?page=${page + 1}`}>Older articles</a>}</span>
    </nav>
  );
}

function TopicLinks(props: { readonly topics: Site['blog']['topics']; readonly path: string }) {
  return (
    <nav aria-label="Topics" className="group-topics">
      <a href="/blog">All articles</a>
      {props.topics.map(({ name }) => {
        const href = `/blog/topic/${buildSlug(name)}`;
        return (
          <a key={name} href={href} aria-current={href === props.path ? 'page' : undefined}>
            {name}
          </a>
        );
      })}
    </nav>
  );
}
