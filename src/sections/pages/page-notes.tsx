import { formatLongDate } from '../../core/articles/article-copy.ts';
import { Container } from '../../ui/section.tsx';
import { ClaimNote } from '../shell/notes.tsx';

/** The small print at the end of a page: what the mark of claims means, and the day of the last update. */
export function PageNotes(props: { readonly updated: string | undefined; readonly hasClaimNote: boolean }) {
  const { updated, hasClaimNote } = props;
  if (updated === undefined && !hasClaimNote) return null;
  return (
    <Container className="grid gap-2 pt-8 text-sm text-muted">
      {hasClaimNote && <ClaimNote />}
      {updated !== undefined && (
        <p>
          Last updated <time dateTime={updated}>{formatLongDate(updated)}</time>
        </p>
      )}
    </Container>
  );
}
