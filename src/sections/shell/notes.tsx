import { Fragment } from 'react';
import { formatLongDate } from '../../core/articles/article-copy.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { CLAIM_MARK, CLAIM_NOTE, CLAIM_NOTE_ID } from '../../core/pages/claims/claims.ts';
import { buildFactId, buildMarkId } from '../../core/pages/claims/corrections.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { keepWhole } from '../../ui/whole-words.tsx';

/** The affiliate disclosure, beside what it is about. `text`: instead of that of one link. */
export function DisclosureLine(props: {
  readonly disclosure: SiteDetails['disclosure'];
  readonly text?: string | undefined;
  readonly className?: string;
}) {
  const { short, href } = props.disclosure;
  return (
    <div
      data-disclosure
      className={`max-w-text border-l-3 border-marker pl-4 text-sm text-muted ${props.className ?? ''}`}
    >
      {props.text ?? short} <a href={href}>How we are paid</a>
    </div>
  );
}

/** The label of quotations that this site wrote. */
export function SampleNote({ className }: { readonly className: string }) {
  return (
    <p className={`text-sm text-muted ${className}`}>
      <span className="mr-2 inline-block rounded-sm border border-line-strong px-1.5 text-xs text-ink">
        Sample
      </span>
      Written by this site. No customer said this.
    </p>
  );
}

/** The mark of a claim: leads to the note that explains it, or to what a source says against the claim. */
export function ClaimMark({
  href = `#${CLAIM_NOTE_ID}`,
  id,
}: {
  readonly href?: string;
  readonly id?: string | undefined;
}) {
  return (
    <a id={id} href={href} aria-label="Note on this claim" className="relative z-1 text-muted no-underline">
      †
    </a>
  );
}

/** A plain text in which claims have their mark. */
export function MarkedClaims({ text }: { readonly text: string }) {
  // Every second part is the key of a claim.
  return text.split(CLAIM_MARK).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity and never change
    index % 2 === 0 ? part : <ClaimMark key={index} />,
  );
}

/** What the mark of claims means. `isFar`: it leads back to the claims. */
export function ClaimNote(props: {
  readonly claims: readonly Claim[];
  readonly className?: string;
  readonly isFar?: boolean;
}) {
  const { className = '', isFar = false } = props;
  const claims = props.claims.filter(({ fact }) => fact === undefined);
  return (
    <>
      {claims.length > 0 && (
        <p id={CLAIM_NOTE_ID} className={`max-w-text text-sm text-muted ${className}`.trim()}>
          {CLAIM_NOTE}
          {isFar && ' Back to '}
          {isFar && <BackLinks claims={claims} />}
        </p>
      )}
      <FactTable claims={props.claims} />
    </>
  );
}

/** The figures of claims, each of which leads back to its first mark. */
function BackLinks({ claims }: { readonly claims: readonly Pick<Claim, 'key' | 'figure'>[] }) {
  return claims.map(({ key, figure }, index) => (
    <Fragment key={key}>
      {index > 0 && ', '}
      {/* A number alone is no name of a link. */}
      <a href={`#${buildMarkId(key)}`} aria-label={/\p{L}/u.test(figure) ? undefined : `Back to ${figure}`}>
        {figure}
      </a>
    </Fragment>
  ));
}

/** What sources say against claims, once a page: each row leads back to its claim. `areFactsInstead`: to its fact. */
export function FactTable(props: { readonly claims: readonly Claim[]; readonly areFactsInstead?: boolean }) {
  const facts = props.claims.flatMap(({ fact, ...claim }) => (fact === undefined ? [] : { ...claim, fact }));
  // Against two claims, the same fact is one row, to which the marks of both lead.
  const rows = [...Map.groupBy(facts, ({ fact }) => fact.heading).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : { ...first, others },
  );
  if (rows.length === 0) return null;
  return (
    <section
      aria-labelledby="sources-say"
      className="mt-8 break-inside-avoid border-t border-line pt-4 text-[0.95rem] text-ink"
    >
      <h2 id="sources-say" className="text-xl">
        What the sources say
      </h2>
      <table className="mt-2 text-left" aria-labelledby="sources-say">
        <thead className="sr-only">
          <tr>
            {['Claim', 'What was found', 'Source', 'Day'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ fact, others, ...claim }) => (
            <tr key={claim.key} id={buildFactId(claim.key)} className="align-top max-sm:grid max-sm:py-2">
              <th scope="row" className="pr-6 font-semibold sm:py-1">
                {props.areFactsInstead ? (
                  <a href={`#${buildMarkId(claim.key)}`}>{fact.heading}</a>
                ) : (
                  <BackLinks claims={[claim, ...others]} />
                )}
              </th>
              <td className="pr-6 sm:py-1">
                {others.map(({ key }) => (
                  <span key={key} id={buildFactId(key)} />
                ))}
                {keepWhole(fact.text)}
              </td>
              <td className="pr-6 sm:py-1">
                <a href={fact.source} rel="noopener">
                  {new URL(fact.source).hostname.replace(/^www\./, '')}
                </a>
              </td>
              <td className="whitespace-nowrap text-muted sm:py-1">{formatLongDate(fact.checked)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
