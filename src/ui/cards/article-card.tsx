import type { ReactNode } from 'react';
import { type ImageSource, ResponsiveImage } from '../responsive-image.tsx';
import { keepWhole } from '../whole-words.tsx';

const MAX_BADGES = 2;
const SIZES = '(min-width: 64rem) 24rem, (min-width: 40rem) 44vw, 7rem';
const SIZES_FIRST = '(min-width: 74rem) 40rem, (min-width: 64rem) 56vw, 100vw';

/** The content of an article card as plain values. */
export interface ArticleCardContent {
  readonly slug: string;
  readonly href: string;
  readonly title: string;
  /** A text, or its parts with those marked that match a search. */
  readonly excerpt: string | readonly { readonly text: string; readonly match: boolean }[];
  readonly categories: readonly string[];
  readonly author: string;
  readonly date: { readonly iso: string; readonly text: string };
  /** Minutes. */
  readonly readingTime: number;
  readonly image: ImageSource | null;
}

/** One article of a list. */
export function ArticleCard(props: {
  readonly content: ArticleCardContent;
  /** Id of the card when an address links to it. */
  readonly id?: string | undefined;
  /** The first image of a page loads eagerly. */
  readonly isFirst?: boolean;
  /** A class of `article-card-variants.css`. */
  readonly className?: string | undefined;
  readonly headingLevel?: 2 | 3;
  /** Without the excerpt, where the title is enough to choose by. */
  readonly isBrief?: boolean;
}) {
  const { content, id, isFirst = false, className = '', headingLevel = 2, isBrief = false } = props;
  const { href, title, excerpt, categories, author, date, readingTime, image } = content;
  const Heading = `h${headingLevel}` as const;
  return (
    <article className={`card link-area ${className}`.trim()} id={id}>
      {image && (
        // The image repeats what the title says, so its alternative text is empty.
        <ResponsiveImage
          image={image}
          alt=""
          sizes={isFirst ? SIZES_FIRST : SIZES}
          isFirst={isFirst}
          className="card-image"
          transitionName={`article-image-${content.slug}`}
        />
      )}
      <div className="card-text">
        <p className="flex flex-wrap items-start gap-[0.35rem]">
          {categories.slice(0, MAX_BADGES).map((category) => (
            <span
              key={category}
              className="rounded-full border border-line px-[0.7em] py-[0.1em] text-xs text-muted"
            >
              {category}
            </span>
          ))}
        </p>
        <Heading className="card-title">
          <a href={href}>{keepWhole(title)}</a>
        </Heading>
        {!isBrief && (
          <p className="card-excerpt">
            {typeof excerpt === 'string' ? renderSentences(excerpt) : renderMatches(excerpt)}
          </p>
        )}
        <p className="card-meta tabular">
          <span>{author}</span>
          <time dateTime={date.iso}>{date.text}</time>
          <span>{`${readingTime} min read`}</span>
        </p>
      </div>
    </article>
  );
}

/** The first sentence apart from the rest: where there is little room it stands alone and is never cut inside an amount. */
function renderSentences(excerpt: string): ReactNode {
  const [first = '', rest = ''] = excerpt.split(/(?<=[.!?])\s+(.*)/s);
  if (rest === '') return keepWhole(first);
  return (
    <>
      {keepWhole(`${first} `)}
      <span data-rest>{keepWhole(rest)}</span>
    </>
  );
}

function renderMatches(parts: readonly { readonly text: string; readonly match: boolean }[]): ReactNode {
  let offset = 0;
  return parts.map(({ text, match }) => {
    const key = offset;
    offset += text.length;
    return match ? <mark key={key}>{text}</mark> : text;
  });
}
