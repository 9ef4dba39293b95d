import { buildArticlePath } from '../../core/paths.ts';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Articles as rows of an index; nothing when the list is empty. */
export function ArticleTeasersSection({ section, context }: SectionProps<'article-teasers'>) {
  const { slugs, count } = section;
  const { teasers } = context;
  const articles =
    slugs === undefined
      ? teasers.slice(0, count)
      : slugs.flatMap((wanted) => teasers.find(({ slug }) => slug === wanted) ?? []);
  if (articles.length === 0) return null;
  return (
    <SectionFrame section={section} context={context}>
      <ul className="border-t-2 border-line-strong">
        {articles.map(({ slug, address, title, excerpt, readingTime }) => (
          <li
            key={slug}
            className="grid gap-x-12 gap-y-1 border-b border-line py-5 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)_6rem]"
          >
            <h3 className="text-xl">
              <a href={buildArticlePath({ slug, address })} className="text-ink no-underline hover:underline">
                {title}
              </a>
            </h3>
            <p className="text-muted">{excerpt}</p>
            <p className="tabular text-sm text-muted md:text-right">{readingTime} min read</p>
          </li>
        ))}
      </ul>
    </SectionFrame>
  );
}
