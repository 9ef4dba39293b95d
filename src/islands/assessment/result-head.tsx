import type { Answers } from '../../core/assessment/answers.ts';
import type { Assessment, Outcome } from '../../core/assessment/assessment.schema.ts';
import { buildConversionLabel } from '../../core/assessment/recommend.ts';
import { buildAddress, COMPARISON_PATH, CONTACT_PATH, DISCLOSURE_PATH } from '../../core/paths.ts';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { fillText, RESULTS_SOURCE } from './assessment-props.ts';

/** The recommended platform, the disclosure, the call to action and the two ways to think it over. */
export function ResultHead(props: {
  readonly copy: Assessment['copy']['results'];
  readonly outcome: Outcome;
  readonly answers: Answers;
  readonly disclosure: string;
  /** Address of the redirect to the outcome's partner. */
  readonly href: string;
  /** Global Privacy Control: the link carries no answers. */
  readonly gpc: boolean;
}) {
  const { copy, outcome, answers } = props;
  const { businessType, budget } = answers;
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
        <PartnerLink
          href={buildAddress(props.href, { answers: props.gpc ? undefined : JSON.stringify(answers) })}
          source={RESULTS_SOURCE}
          event="assessment_conversion"
          label={buildConversionLabel(answers, outcome)}
          value={1}
          data={{ business_type: businessType, budget, platform: outcome.platform }}
          className="button button-primary"
        >
          {outcome.ctaText}
        </PartnerLink>
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
