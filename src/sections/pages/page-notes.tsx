import { formatLongDate } from '../../core/articles/article-copy.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { Container } from '../../ui/section.tsx';
import { ClaimNote } from '../shell/notes.tsx';

/** The small print at the end of a page: what the mark of claims means, the last update. */
export function PageNotes(props: {
  readonly updated: string | undefined;
  /** The claims that the page marks; empty: it needs no note. */
  readonly marked: readonly Claim[];
}) {
  const { updated, marked } = props;
  if (updated === undefined && marked.length === 0) return null;
  return (
    <Container className="grid gap-2 pt-8 text-sm text-muted">
      <ClaimNote claims={marked} />
      {updated !== undefined && (
        <p>
          Last updated <time dateTime={updated}>{formatLongDate(updated)}</time>
        </p>
      )}
    </Container>
  );
}
