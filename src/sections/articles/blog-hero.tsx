import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { isMarkedClaim } from '../../core/pages/claims/claims.ts';
import { listMarkedClaims } from '../../core/pages/claims/placeholders.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { ASSESSMENT_PATH, buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { Container } from '../../ui/section.tsx';
import { ClaimMark, ClaimNote, MarkedClaims } from '../shell/notes.tsx';

/** The top of the blog page in one band: title and tagline, then the three figures. */
export function BlogHero(props: {
  readonly blog: SiteDetails['blog'];
  readonly tagline: string;
  readonly claims: ReadonlyMap<string, Claim>;
}) {
  const { blog, tagline, claims } = props;
  return (
    <Container className="grid items-end gap-x-[clamp(2rem,5vw,4.5rem)] gap-y-4 py-5 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:py-8">
      <div>
        <h1 className="blog-title text-[clamp(1.9rem,1.5rem+1.7vw,2.75rem)] leading-[1.06]">{blog.title}</h1>
        <p className="mt-2 text-muted">{tagline}</p>
      </div>
      <section className="blog-intro border-y border-line py-3" aria-labelledby="trusted">
        <h2 id="trusted" className="font-text text-sm font-semibold tracking-normal">
          <MarkedClaims text={blog.hero.title} />
        </h2>
        <dl className="tabular mt-1 flex justify-between gap-x-4">
          {listStats(blog, claims).map((claim) => (
            <div key={claim.key} className="flex flex-col-reverse justify-end">
              <dt className="text-xs text-muted">
                {claim.wording}
                {isMarkedClaim(claim) && <ClaimMark />}
              </dt>
              <dd className="font-display text-xl font-semibold">{claim.figure}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Container>
  );
}

const listStats = ({ hero }: SiteDetails['blog'], claims: ReadonlyMap<string, Claim>) =>
  hero.stats.flatMap((key) => claims.get(key) ?? []);

/** Explains the marks of the hub's claims, where there are any. */
export function BlogNote(props: {
  readonly blog: SiteDetails['blog'];
  readonly claims: ReadonlyMap<string, Claim>;
}) {
  const { blog, claims } = props;
  const named = listMarkedClaims([blog.hero.title, blog.picks.badge]).flatMap((key) => claims.get(key) ?? []);
  const marked = new Set([...named, ...listStats(blog, claims).filter(isMarkedClaim)]);
  if (marked.size === 0) return null;
  return (
    <Container className="blog-intro pt-8">
      <ClaimNote claims={[...marked]} />
    </Container>
  );
}

/** The topics below the list, each linked to its articles. */
export function BlogTopics({ topics }: { readonly topics: SiteDetails['blog']['topics'] }) {
  return (
    <nav aria-labelledby="topics" className="pb-12 sm:pb-16">
      <Container>
        <h2 id="topics" className="text-2xl">
          Browse by topic
        </h2>
        <ul className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {topics.map(({ name, description }) => (
            <li key={name} className="link-area rounded border border-line bg-raised p-5">
              <h3 className="text-xl">
                <a href={buildGroupPath('topic', buildSlug(name))}>{name}</a>
              </h3>
              <p className="mt-2 text-sm text-muted">{description}</p>
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
