import { formatLongDate } from '../../core/articles/article-copy.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { CHARGES_NOTE } from '../../core/pages/claims/placeholders.ts';
import { Container } from '../../ui/section.tsx';
import { ClaimNote } from '../shell/notes.tsx';

/** The small print at the end of a page: what the mark of claims means, charges past their age, the last update. */
export function PageNotes(props: {
  readonly updated: string | undefined;
  /** The claims that the page marks; empty: it needs no note. */
  readonly marked: readonly Claim[];
  /** A sentence for each charge past its age. */
  readonly charges?: readonly string[] | undefined;
}) {
  const { updated, marked, charges = [] } = props;
  if (updated === undefined && marked.length === 0 && charges.length === 0) return null;
  return (
    <Container className="grid gap-2 pt-8 text-sm text-muted">
      <ClaimNote claims={marked} />
      {charges.length > 0 && (
        <div data-charges className="max-w-text">
          <p>{CHARGES_NOTE}</p>
          <ul className="mt-2 grid gap-1 text-xs">
            {charges.map((charge) => (
              <li key={charge}>{charge}</li>
            ))}
          </ul>
        </div>
      )}
      {updated !== undefined && (
        <p>
          Last updated <time dateTime={updated}>{formatLongDate(updated)}</time>
        </p>
      )}
    </Container>
  );
}
