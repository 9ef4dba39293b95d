import type { ContentsEntry } from '../../core/articles/article.ts';
import { Icon } from '../../ui/icon.tsx';

/** The table of contents: always open beside the text on wide screens, collapsed above it on narrow ones. */
export function ArticleContents({ entries }: { readonly entries: readonly ContentsEntry[] }) {
  if (entries.length < 2) return null;
  return (
    <nav className="article-contents" aria-labelledby="contents-title" data-print="hide">
      <details>
        <summary>
          <span id="contents-title">On this page</span>
          <Icon name="chevron-down" />
        </summary>
        <ol>
          {entries.map(({ id, text }) => (
            <li key={id}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}
