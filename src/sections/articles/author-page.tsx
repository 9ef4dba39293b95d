import { buildCardContent, formatLongDate } from '../../core/articles/article-copy.ts';
import type { Author } from '../../core/articles/author.schema.ts';
import type { ListedArticle } from '../../core/articles/listed-articles.ts';
import type { Cta } from '../../core/outbound/cta.ts';
import { findContentImage, type ImageCatalog } from '../../core/pages/images/content-image.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { BLOG_PATH } from '../../core/paths.ts';
import { ArticleCard } from '../../ui/cards/article-card.tsx';
import { ResponsiveImage } from '../../ui/responsive-image.tsx';
import { Container } from '../../ui/section.tsx';
import { Markdown } from '../pages/markdown-text.tsx';
import { DisclosureLine } from '../shell/notes.tsx';

/** Who writes here: role, portrait, links, tests, and the newest articles. */
export function AuthorPage(props: {
  readonly author: Author;
  readonly articles: readonly ListedArticle[];
  readonly images: ImageCatalog;
  readonly cta: Cta;
  /** Of an author whose texts link to a partner. */
  readonly disclosure?: SiteDetails['disclosure'] | undefined;
}) {
  const { author, articles, images, cta, disclosure } = props;
  const portrait = author.image && findContentImage(author.image.src, images);
  return (
    <Container className="py-[clamp(1.5rem,4vw,4rem)]">
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
        <div>
          <p className="text-muted">Author</p>
          <h1 className="mt-2 text-4xl">{author.name}</h1>
          <p className="mt-4 text-lg text-muted">{author.role}</p>
          {disclosure && <DisclosureLine disclosure={disclosure} text={disclosure.strip} className="mt-4" />}
          <div className="mt-6 grid max-w-text gap-4">
            <Markdown text={author.bio} cta={cta} />
            {author.made !== undefined && <p>{author.made}</p>}
          </div>
          {author.links.length > 0 && (
            <ul className="mt-6 flex flex-wrap gap-x-6 gap-y-2">
              {author.links.map(({ label, href }) => (
                <li key={href}>
                  <a href={href} rel="me noopener">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
        {author.image && portrait && 'image' in portrait && (
          <ResponsiveImage
            image={{ ...portrait.image, focus: author.image.focus }}
            alt={author.image.alt}
            sizes="(min-width: 64rem) 22rem, 100vw"
            isFirst
            className="block max-w-88 overflow-clip rounded-lg"
          />
        )}
      </div>
      <AuthorTests tests={author.tests} />
      {articles.length > 0 && (
        <>
          <div className="mt-16 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
            <h2 className="text-2xl">Newest articles</h2>
            <a href={BLOG_PATH}>All articles</a>
          </div>
          <div className="cards cards-rows mt-8">
            {articles.map((article) => (
              <ArticleCard
                key={article.slug}
                content={buildCardContent(article, articles)}
                headingLevel={3}
              />
            ))}
          </div>
        </>
      )}
    </Container>
  );
}

function AuthorTests({ tests }: { readonly tests: Author['tests'] }) {
  if (tests.length === 0) return null;
  return (
    <>
      <h2 className="mt-16 text-2xl">Tests</h2>
      <ul className="mt-6 border-t-2 border-line-strong">
        {tests.map(({ what, date, href }) => (
          <li
            key={`${date} ${what}`}
            className="flex flex-wrap justify-between gap-x-8 border-b border-line py-4"
          >
            <span>{href === undefined ? what : <a href={href}>{what}</a>}</span>
            <time dateTime={date} className="tabular text-muted">
              {formatLongDate(date)}
            </time>
          </li>
        ))}
      </ul>
    </>
  );
}
