import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import type { Claim } from '../../core/pages/claim.schema.ts';
import { UNPROVEN } from '../../core/pages/claims.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { ASSESSMENT_PATH, buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { Container } from '../../ui/section.tsx';

/** The top of the blog page: title, tagline and three figures. */
export function BlogHero(props: {
  readonly blog: SiteDetails['blog'];
  readonly tagline: string;
  readonly claims: ReadonlyMap<string, Claim>;
}) {
  const { blog, tagline, claims } = props;
  const stats = blog.hero.stats.flatMap((key) => claims.get(key) ?? []);
  return (
    <Container className="pt-10 pb-8 sm:pt-16 sm:pb-12">
      <h1 className="blog-title max-w-wide text-5xl">{blog.title}</h1>
      <p className="mt-4 text-lg text-muted">{tagline}</p>
      <section
        className="blog-intro mt-[clamp(2rem,4vw,3.5rem)] border-t-2 border-line-strong md:grid md:grid-cols-[minmax(0,1fr)_minmax(0,3fr)] md:border-b md:border-b-line"
        aria-labelledby="trusted"
      >
        <h2
          id="trusted"
          className="pt-[1.1rem] pb-[0.4rem] text-[clamp(1.3rem,1.1rem+0.9vw,1.75rem)] leading-[1.1] md:py-[1.6rem] md:pr-8"
        >
          {blog.hero.title}
        </h2>
        <dl className="md:grid md:grid-cols-3">
          {stats.map((claim) => (
            <div
              key={claim.key}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-4 border-line py-[0.7rem] not-first:border-t md:flex md:flex-col-reverse md:justify-end md:gap-2 md:border-l md:pt-[1.6rem] md:pb-6 md:pl-[clamp(1rem,2.4vw,2rem)] md:not-first:border-t-0"
            >
              <dt className="col-start-1 row-start-1 text-muted">
                {claim.wording}
                {claim.evidence === '' && ' †'}
              </dt>
              <dd className="font-display text-[1.9rem] leading-none font-[640] tracking-[-0.03em] md:text-[clamp(1.7rem,0.8rem+1.7vw,2.5rem)] md:whitespace-nowrap">
                {claim.figure}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {stats.some(({ evidence }) => evidence === '') && (
        <p className="blog-intro mt-3 text-sm text-muted">† {UNPROVEN}.</p>
      )}
    </Container>
  );
}

/** The topics above the list, each linked to its articles; what they are about where there is room. */
export function BlogTopics({ topics }: { readonly topics: SiteDetails['blog']['topics'] }) {
  return (
    <nav aria-labelledby="topics" className="blog-intro pb-8 sm:pb-12">
      <Container>
        <h2 id="topics" className="text-xl">
          Browse by topic
        </h2>
        <ul className="mt-3 grid grid-cols-2 gap-x-[clamp(1rem,3vw,2.75rem)] border-t-2 border-line-strong lg:grid-cols-4 lg:gap-x-0">
          {topics.map(({ name, description }) => (
            <li
              key={name}
              className="link-area border-b border-line py-3 lg:border-b-0 lg:pr-4 lg:not-first:pl-[clamp(1rem,2.4vw,2rem)]"
            >
              <h3 className="text-lg">
                <a href={buildGroupPath('topic', buildSlug(name))}>{name}</a>
              </h3>
              <p className="mt-1 text-sm text-muted max-sm:hidden">{description}</p>
            </li>
          ))}
        </ul>
      </Container>
    </nav>
  );
}

/** The way to the assessment for readers who do not want to read on. */
export function AssessmentTile({ copy }: { readonly copy: Assessment['copy']['intro'] }) {
  return (
    <div className="grid gap-x-16 gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <h2 className="text-3xl">{copy.headline}</h2>
      <div>
        <p className="max-w-text text-lg">{copy.lead}</p>
        <p className="mt-6">
          <a
            href={ASSESSMENT_PATH}
            className="button button-primary"
            data-action="call_to_action"
            data-label="assessment"
            data-source="blog"
            data-position="after-list"
          >
            {copy.start}
          </a>
        </p>
      </div>
    </div>
  );
}
