import type { Claim } from '../core/content/claim.schema.ts';
import type { Site } from '../core/content/site.schema.ts';
import { Container } from '../ui/container.tsx';

/** The top of the hub: what it is, and the figures it stands on. */
export function BlogHero(props: {
  readonly blog: Site['blog'];
  readonly tagline: string;
  readonly claims: ReadonlyMap<string, Claim>;
}) {
  const { blog, tagline, claims } = props;
  const stats = blog.hero.stats.flatMap((key) => claims.get(key) ?? []);
  return (
    <Container className="pt-10 pb-8 sm:pt-16 sm:pb-12">
      <h1 className="max-w-wide text-5xl">{blog.title}</h1>
      <p className="mt-4 text-lg text-muted">{tagline}</p>
      <section className="stats" aria-labelledby="trusted">
        <h2 id="trusted">{blog.hero.title}</h2>
        <dl>
          {stats.map((claim) => (
            <div key={claim.key}>
              <dt>{claim.wording}</dt>
              <dd className="n">{claim.figure}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Container>
  );
}
