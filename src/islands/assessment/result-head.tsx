import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import { buildAddress, COMPARISON_PATH, CONTACT_PATH, DISCLOSURE_PATH } from '../../core/paths.ts';
import { fillText } from './assessment-props.ts';
import { ResultLink, type ResultLinkProps } from './result-link.tsx';

/** The recommended platform, the disclosure, the call to action and the two ways to think it over. */
export function ResultHead(
  props: ResultLinkProps & {
    readonly copy: Assessment['copy']['results'];
    readonly disclosure: string;
  },
) {
  const { copy, outcome } = props;
  return (
    <div>
      <p className="text-sm font-semibold text-muted">{copy.title}</p>
      <h1 className="mt-3 text-4xl outline-none" tabIndex={-1}>
        {fillText(copy.platform, { platform: outcome.platform })}
      </h1>
      <p className="mt-3 text-lg font-semibold text-positive">{outcome.kind}</p>
      <p className="mt-4 max-w-text text-lg">{outcome.description}</p>
      <p data-disclosure className="mt-6 max-w-text border-l-3 border-marker pl-4 text-sm text-muted">
        {props.disclosure} <a href={DISCLOSURE_PATH}>{copy.paid}</a>
      </p>
      <div className="mt-6 flex flex-wrap gap-3" data-print="hide">
        <ResultLink
          outcome={outcome}
          answers={props.answers}
          href={props.href}
          gpc={props.gpc}
          position="result"
        />
        <a className="button button-quiet" href={COMPARISON_PATH}>
          {copy.compare}
        </a>
        <a className="button button-quiet" href={buildAddress(CONTACT_PATH, { topic: 'expert' })}>
          {copy.expert}
        </a>
      </div>
      <p className="mt-5 max-w-text text-sm text-muted">{copy.commission}</p>
    </div>
  );
}
