import type { Claim } from '../../core/pages/claim.schema.ts';
import { UNPROVEN } from '../../core/pages/claims.ts';
import type { Site } from '../../core/pages/site.schema.ts';
import { Container } from '../../ui/container.tsx';

/** The top of the blog page: title, tagline and three figures. */
export function BlogHero(props: {
  readonly blog: Site['blog'];
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
