import type { ListedArticle } from '../../core/articles/listed-articles.ts';
import { ASSESSMENT_PATH, BLOG_PATH, HOME_PATH } from '../../core/paths.ts';
import blankSignpost from '../../ui/illustrations/blank-signpost.svg?raw';
import { InlineSvg } from '../../ui/inline-svg.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Container } from '../../ui/section.tsx';
import { ArticleRelated } from './article-page-parts.tsx';

/** The page for the address of an article that does not exist. */
export function ArticleMissing({ newest }: { readonly newest: readonly ListedArticle[] }) {
  const columnsClass = 'lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]';
  return (
    <>
      <Container
        className={`grid items-center gap-x-[clamp(2rem,6vw,5.5rem)] gap-y-10 pt-[clamp(3rem,8vw,7rem)] ${columnsClass}`}
      >
        <div>
          <p className="tabular text-lg text-muted">404</p>
          <h1 className="mt-2 text-4xl">Article Not Found</h1>
          <p className="mt-5 text-lg text-muted">The article you're looking for doesn't exist.</p>
          <p className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3">
            <a href={HOME_PATH} className="button button-primary">
              Back to Blog
            </a>{' '}
            <a href={BLOG_PATH}>Search all articles</a>
          </p>
        </div>
        <InlineSvg svg={blankSignpost} className="mx-auto max-w-96" />
      </Container>
      <ArticleRelated title="Newest articles" articles={newest} />
    </>
  );
}

/** The page for an article that could not be loaded. */
export function ArticleFailed(props: {
  readonly path: string;
  readonly retrySeconds: number;
  readonly hasAssessment: boolean;
}) {
  const { path, retrySeconds, hasAssessment } = props;
  return (
    <Container className="grid justify-items-start gap-5 py-[clamp(3rem,8vw,7rem)] text-muted">
      <h1 className="text-[clamp(2.1rem,1.6rem+2.3vw,3.4rem)] leading-[1.04] text-ink">
        This article could not be loaded
      </h1>
      <LoadError
        message="Failed to load article. Please try again."
        href={path}
        retryAt={retrySeconds * 1_000}
      />
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        <a href={BLOG_PATH}>All articles</a>{' '}
        {hasAssessment && <a href={ASSESSMENT_PATH}>Take the assessment</a>}
      </p>
    </Container>
  );
}
