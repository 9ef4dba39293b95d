import { Fragment } from 'react';
import { CLAIM_MARK, CLAIM_NOTE, CLAIM_NOTE_ID, UNPROVEN } from '../../core/pages/claims.ts';
import { DISCLOSURE_PATH } from '../../core/paths.ts';
import { Container } from '../../ui/section.tsx';

/** The short affiliate disclosure, beside what it is about. */
export function DisclosureLine(props: { readonly text: string; readonly className?: string }) {
  return (
    <p
      data-disclosure
      className={`max-w-text border-l-3 border-marker pl-4 text-sm text-muted ${props.className ?? ''}`}
    >
      {props.text} <a href={DISCLOSURE_PATH}>How we are paid</a>
    </p>
  );
}

/** The line above pages with links to a partner: it comes before the first of them. */
export function DisclosureStrip({ text }: { readonly text: string }) {
  return (
    <aside aria-label="Affiliate disclosure" data-disclosure className="border-b border-line bg-sunken">
      <Container>
        <p className="py-1.5 text-xs text-muted">
          {text} <a href={DISCLOSURE_PATH}>How we are paid</a>
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

/** The mark of a claim without a source: leads to the note that explains it. */
export function ClaimMark() {
  return (
    <a href={`#${CLAIM_NOTE_ID}`} aria-label={UNPROVEN} className="text-muted no-underline">
      †
    </a>
  );
}

/** A plain text in which claims without a source have their mark. */
export function MarkedClaims({ text }: { readonly text: string }) {
  const [first, ...others] = text.split(CLAIM_MARK);
  return (
    <>
      {first}
      {others.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity and never change
        <Fragment key={index}>
          <ClaimMark />
          {part}
        </Fragment>
      ))}
    </>
  );
}

/** Explains the mark of claims without a source. */
export function ClaimNote({ className = '' }: { readonly className?: string }) {
  return (
    <p id={CLAIM_NOTE_ID} className={`max-w-text text-sm text-muted ${className}`.trim()}>
      {CLAIM_NOTE}
    </p>
  );
}
