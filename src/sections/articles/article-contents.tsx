import type { ContentsEntry } from '../core/articles/headings.ts';
import { Icon } from '../ui/icon.tsx';

/** An article's headings as links: beside the text on wide screens, folded above it on narrow ones. */
export function ArticleContents({ entries }: { readonly entries: readonly ContentsEntry[] }) {
  if (entries.length < 2) return null;
  return (
    <nav className="toc" aria-labelledby="toc" data-print="hide">
      <details>
        <summary>
          <span id="toc">On this page</span>
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
