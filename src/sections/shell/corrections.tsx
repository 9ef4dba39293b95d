import { formatLongDate } from '../../core/articles/article-copy.ts';
import type { Correction } from '../../core/pages/claims/corrections.ts';

const DISAGREES = {
  source: 'A source disagrees with',
  provider: 'The provider disagrees with',
  terms: 'The terms disagree with',
} as const;

/** What sources say against the claims of a section, in the size of the text. `className` lays them out. */
export function Corrections(props: {
  readonly corrections: readonly Correction[];
  readonly className: string;
}) {
  const { corrections, className } = props;
  if (corrections.length === 0) return null;
  return (
    <ul className={`grid gap-x-12 gap-y-4 ${className}`}>
      {corrections.map(({ id, markId, figure, firstId, sourceSays }) => (
        <li key={id} id={id} className="border-t border-dashed border-line-strong pt-3">
          {sourceSays.short !== undefined && (
            <>
              <mark>{sourceSays.short}</mark>{' '}
            </>
          )}
          <strong className="font-semibold">
            {DISAGREES[sourceSays.who ?? 'source']} “{figure}”.
          </strong>{' '}
          {firstId === undefined ? (
            <>
              {sourceSays.text}{' '}
              <span className="text-sm">
                <a href={sourceSays.source} rel="noopener">
                  {new URL(sourceSays.source).hostname.replace(/^www\./, '')}
                </a>
                , {formatLongDate(sourceSays.checked)}.
              </span>
            </>
          ) : (
            <a href={`#${firstId}`}>What it says</a>
          )}{' '}
          <a href={`#${markId}`} aria-label={`Back to the claim “${figure}”`} className="text-sm">
            Back
          </a>
        </li>
      ))}
    </ul>
  );
}
