import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { listMarkedClaims } from '../../core/pages/claims/placeholders.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { Section } from '../../ui/section.tsx';
import { ClaimNote, MarkedClaims } from '../shell/notes.tsx';

type Picks = SiteDetails['blog']['picks'];

/** The badge of the picks; empty where it makes a sample claim and samples are hidden. */
export function readBadge({ badge }: Picks, claims: ReadonlyMap<string, Claim>, areSamples: boolean): string {
  const isSample = listMarkedClaims(badge).some((key) => claims.get(key)?.sample === true);
  return isSample && !areSamples ? '' : badge;
}

/** The editors' picks: the featured one large, the others as a list beside it. */
export function BlogPicks(props: {
  readonly picks: Picks;
  readonly claims: ReadonlyMap<string, Claim>;
  /** Whether samples are shown. */
  readonly samples: boolean;
  /** Explains the mark of the badge here, on pages without a note of their own. */
  readonly hasNote?: boolean;
}) {
  const { picks, claims, samples, hasNote = false } = props;
  const badge = readBadge(picks, claims, samples);
  if (picks.items.length === 0) return null;
  const featured = picks.items.filter((item) => item.featured);
  const others = picks.items.filter((item) => !item.featured);
  return (
    <Section title={picks.title} background="sunken">
      <div className="grid gap-x-[clamp(2rem,5vw,4.5rem)] gap-y-8 md:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        {featured.map((item) => (
          <div
            key={item.href}
            className="link-area flex flex-col items-start rounded-lg bg-ink p-[clamp(1.5rem,3vw,2.5rem)] text-surface dark:border dark:border-line dark:bg-raised dark:text-ink"
          >
            {badge !== '' && (
              <p className="mb-6 bg-marker px-[0.6rem] py-[0.2rem] text-[0.9rem] font-semibold text-on-marker [&_a]:text-inherit">
                <MarkedClaims text={badge} />
              </p>
            )}
            <PickTitle item={item} className="text-3xl" />
            <p className="mt-4 max-w-text text-lg">{item.description}</p>
            <p className="tabular mt-auto flex items-center justify-between self-stretch pt-6">
              {`${item.minutes} min read`}
              <Icon name="arrow-right" className="size-6" />
            </p>
          </div>
        ))}
        <ul className="border-t-2 border-line-strong">
          {others.map((item) => (
            <li key={item.href} className="link-area border-b border-line py-6">
              <PickTitle item={item} className="text-xl" />
              <p className="mt-2 text-muted">{item.description}</p>
              <p className="tabular flex justify-between pt-3 text-sm text-muted">{`${item.minutes} min read`}</p>
            </li>
          ))}
        </ul>
      </div>
      <ClaimNote
        claims={hasNote ? listMarkedClaims(badge).flatMap((key) => claims.get(key) ?? []) : []}
        className="mt-6"
      />
    </Section>
  );
}

BlogPicks.isKept = true;

function PickTitle(props: { readonly item: Picks['items'][number]; readonly className: string }) {
  const { item, className } = props;
  return (
    <h3 className={className}>
      <a href={item.href}>{item.title}</a>
    </h3>
  );
}
