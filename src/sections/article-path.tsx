import { buildSlug } from '../core/articles/article-slug.ts';
import { Icon } from '../ui/icon.tsx';

/** The way back, and where the article stands. */
export function ArticlePath({ topic }: { readonly topic?: string | undefined }) {
  return (
    <div className="article-path" data-print="hide">
      <a href="/">
        <Icon name="arrow-left" />
        Back to Blog
      </a>
      <nav aria-label="Breadcrumb">
        <ol>
          <li>
            <a href="/">Home</a>
          </li>
          <li>
            <a href="/blog">Articles</a>
          </li>
          {topic && (
            <li>
              <a href={`/blog/topic/${buildSlug(topic)}`}>{topic}</a>
            </li>
          )}
        </ol>
      </nav>
    </div>
  );
}
