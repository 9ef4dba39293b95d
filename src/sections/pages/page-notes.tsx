import { formatLongDate } from '../../core/articles/article-copy.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import type { Update } from '../../core/pages/updates.ts';
import { Container } from '../../ui/section.tsx';
import { ClaimNote, FactTable } from '../shell/notes.tsx';

/** The log of a page or an article, newest first. */
export function UpdateLog({ updates }: { readonly updates: readonly Update[] }) {
  if (updates.length === 0) return null;
  return (
    <section
      aria-labelledby="page-updates"
      className="mt-8 border-t border-line pt-4 text-[0.95rem] text-ink"
    >
      <h2 id="page-updates" className="text-xl">
        Updates
      </h2>
      <table className="mt-2 text-left" aria-labelledby="page-updates">
        <thead className="sr-only">
          <tr>
            <th scope="col">Day</th>
            <th scope="col">What changed</th>
          </tr>
        </thead>
        <tbody>
          {updates.map(({ date, text, corrected }) => (
            <tr key={date + text} className="align-top">
              <td className="py-1 pr-6 text-muted">
                <time dateTime={date}>{formatLongDate(date)}</time>
              </td>
              <td className="py-1">
                {corrected && <strong>Correction: </strong>}
                {text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const TOOL_CLASSES =
  'inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent hover:underline';

/** A link to the page itself, and where scripts run buttons that copy it, share it or print the page. */
function PageTools({ path }: { readonly path: string }) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-5 text-[0.95rem]" data-print="hide">
      <a href={path} className="inline-flex min-h-11 items-center">
        Link to this page
      </a>{' '}
      <span className="flex flex-wrap items-center gap-x-5 noscript:hidden">
        <button type="button" data-share="copy" className={TOOL_CLASSES}>
          Copy link
        </button>{' '}
        <button type="button" data-share="" className={TOOL_CLASSES}>
          Share
        </button>{' '}
        <button type="button" data-share="print" className={TOOL_CLASSES}>
          Print
        </button>
        <span role="status" className="font-semibold text-positive" />
      </span>
    </div>
  );
}

/** The small print at the end of a page: what the mark of claims means, what sources say, its log or the last update. */
export function PageNotes(props: {
  readonly updated: string | undefined;
  readonly updates: readonly Update[];
  readonly path: string;
  /** The claims that the page marks; empty: it needs no note. */
  readonly marked: readonly Claim[];
  /** The claims whose facts the page shows, and whether in place of the claims. */
  readonly facts: readonly Claim[];
  readonly areFactsInstead: boolean;
}) {
  const { updated, updates, marked, facts, areFactsInstead, path } = props;
  return (
    <Container className="grid gap-2 pt-6 text-sm text-muted">
      <ClaimNote claims={marked} isFar />
      <FactTable claims={facts} areFactsInstead={areFactsInstead} />
      {updated !== undefined && updates.length === 0 && (
        <p>
          Last updated <time dateTime={updated}>{formatLongDate(updated)}</time>
        </p>
      )}
      <UpdateLog updates={updates} />
      <PageTools path={path} />
    </Container>
  );
}
