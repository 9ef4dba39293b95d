import { Fragment } from 'react';
import { formatLongDate } from '../../core/articles/article-copy.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { CLAIM_MARK, CLAIM_NOTE, CLAIM_NOTE_ID } from '../../core/pages/claims/claims.ts';
import { buildMarkId } from '../../core/pages/claims/corrections.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { Container } from '../../ui/section.tsx';
import { SourcedText } from '../../ui/sourced-text.tsx';

interface DisclosureProps {
  readonly disclosure: SiteDetails['disclosure'];
}

/** The short affiliate disclosure, beside what it is about. */
export function DisclosureLine(props: DisclosureProps & { readonly className?: string }) {
  const { short, href } = props.disclosure;
  return (
    <p
      data-disclosure
      className={`max-w-text border-l-3 border-marker pl-4 text-sm text-muted ${props.className ?? ''}`}
    >
      {short} <a href={href}>How we are paid</a>
    </p>
  );
}

/** The line above pages with links to a partner: before the first of them, and once in the first screen. */
export function DisclosureStrip({ disclosure: { strip, href } }: DisclosureProps) {
  return (
    <aside aria-label="Affiliate disclosure" data-disclosure className="border-b border-line bg-sunken">
      <Container>
        <p className="py-2 text-sm">
          {strip} <a href={href}>How we are paid</a>
        </p>
      </Container>
    </aside>
  );
}

/** The label of quotations that this site wrote. */
export function SampleNote({ className }: { readonly className: string }) {
  return (
    <p className={`text-sm text-muted ${className}`}>
      <span className="mr-2 inline-block rounded-sm border border-line-strong px-1.5 text-xs text-ink">
        Sample
      </span>
      Written by this site to show the format. No customer said this.
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

/**
 * What the mark of claims means, and what sources say against those of `claims` that one contradicts. `isFar`: it leads
 * back to the claims.
 */
export function ClaimNote(props: {
  readonly claims: readonly Claim[];
  readonly className?: string;
  readonly isFar?: boolean;
}) {
  const { claims, className = '', isFar = false } = props;
  if (claims.length === 0) return null;
  const contradicted = claims.filter(({ sourceSays }) => sourceSays !== undefined);
  return (
    <div id={CLAIM_NOTE_ID} className={`max-w-text text-sm text-muted ${className}`.trim()}>
      <p>
        {CLAIM_NOTE}
        {isFar && ' Back to '}
        {isFar &&
          claims.map(({ key, figure }, index) => (
            <Fragment key={key}>
              {index > 0 && ', '}
              {/* A number alone is no name of a link. */}
              <a
                href={`#${buildMarkId(key)}`}
                aria-label={/\p{L}/u.test(figure) ? undefined : `Back to ${figure}`}
              >
                {figure}
              </a>
            </Fragment>
          ))}
      </p>
      {contradicted.length > 0 && (
        <ul className="mt-2 grid gap-1 text-xs">
          {contradicted.map(({ key, figure, sourceSays }) => (
            <li key={key}>
              {figure}:{' '}
              {sourceSays && <SourcedText {...sourceSays} date={formatLongDate(sourceSays.checked)} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
