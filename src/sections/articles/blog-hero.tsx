import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { isMarkedClaim } from '../../core/pages/claims/claims.ts';
import { listMarkedClaims } from '../../core/pages/claims/placeholders.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { ASSESSMENT_PATH, buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { Container } from '../../ui/section.tsx';
import { ClaimMark, ClaimNote, MarkedClaims } from '../shell/notes.tsx';
import { readBadge } from './blog-picks.tsx';

/** What the top of the blog page says: the title and the claims, or what stands in their place where samples are hidden. */
function readHero({ hero }: SiteDetails['blog'], claims: ReadonlyMap<string, Claim>, areSamples: boolean) {
  const isSample = listMarkedClaims(hero.title).some((key) => claims.get(key)?.sample === true);
  if (isSample && !areSamples) return { ...hero.instead, marked: [] };
  const stats = hero.stats.flatMap((key) => claims.get(key) ?? []);
  return { title: hero.title, stats, marked: stats.filter(isMarkedClaim) };
}

interface BlogClaims {
  readonly blog: SiteDetails['blog'];
  readonly claims: ReadonlyMap<string, Claim>;
  /** Whether samples are shown. */
  readonly samples: boolean;
}

/** The top of the blog page in one band: title and tagline, then the three figures. */
export function BlogHero({ blog, claims, samples, tagline }: BlogClaims & { readonly tagline: string }) {
  const { title, stats = [], marked } = readHero(blog, claims, samples);
  return (
    <Container className="grid items-end gap-x-[clamp(2rem,5vw,4.5rem)] gap-y-4 py-5 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:py-8">
      <div>
        <h1 className="blog-title text-[clamp(1.9rem,1.5rem+1.7vw,2.75rem)] leading-[1.06]">{blog.title}</h1>
        <p className="mt-2 text-muted">{tagline}</p>
      </div>
      {title !== undefined && (
        <section className="blog-intro border-y border-line py-3" aria-labelledby="trusted">
          <h2 id="trusted" className="font-text text-sm font-semibold tracking-normal">
            <MarkedClaims text={title} />
          </h2>
          <dl className="tabular mt-1 flex justify-between gap-x-4">
            {stats.map(({ figure, wording }) => (
              <div key={wording} className="flex flex-col-reverse justify-end">
                <dt className="text-xs text-muted">
                  {wording}
                  {marked.some((claim) => claim.wording === wording) && <ClaimMark />}
                </dt>
                <dd className="font-display text-xl font-semibold">{figure}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </Container>
  );
}

BlogHero.isKept = true;

/** Explains the marks of the hub's claims, where there are any. */
export function BlogNote({ blog, claims, samples }: BlogClaims) {
  const { title, marked } = readHero(blog, claims, samples);
  const named = listMarkedClaims([title, readBadge(blog.picks, claims, samples)]).flatMap(
    (key) => claims.get(key) ?? [],
  );
  const all = new Set([...named, ...marked]);
  if (all.size === 0) return null;
  return (
    <Container className="pt-8">
      <ClaimNote claims={[...all]} />
    </Container>
  );
}

BlogNote.isKept = true;

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

BlogTopics.isKept = true;

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

AssessmentTile.isKept = true;
