import type { ArticleCard } from '../core/articles/article.ts';
import { buildSlug } from '../core/articles/article-slug.ts';

/** What stands under an article: its tags, and the articles before and after it in the same topic. */
export function ArticleEnd(props: {
  readonly tags: readonly string[];
  readonly previous: ArticleCard | null;
  readonly next: ArticleCard | null;
}) {
  const { tags, previous, next } = props;
  return (
    <footer className="article-end" data-print="hide">
      {tags.length > 0 && (
        <ul className="article-tags" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <a href={`/blog/tag/${buildSlug(tag)}`}>{`#${tag}`}</a>
            </li>
          ))}
        </ul>
      )}
      {(previous !== null || next !== null) && (
        <nav className="neighbours" aria-label={`More about ${(previous ?? next)?.categories[0] ?? 'this'}`}>
          {previous !== null && <Neighbour article={previous} label="Previous" />}
          {next !== null && <Neighbour article={next} label="Next" />}
        </nav>
      )}
    </footer>
  );
}

function Neighbour({
  article,
  label,
}: {
  readonly article: ArticleCard;
  readonly label: 'Previous' | 'Next';
}) {
  return (
    <a href={`/blog/${article.slug}`} rel={label === 'Next' ? 'next' : 'prev'}>
      <span>{label}</span>
      <strong>{article.title}</strong>
    </a>
  );
}
