import type { Answers } from '../../core/assessment/answers.ts';
import type { Outcome } from '../../core/assessment/assessment.schema.ts';
import { buildConversionLabel } from '../../core/assessment/recommend-platform.ts';
import { buildAddress } from '../../core/paths.ts';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { RESULTS_SOURCE } from './assessment-props.ts';

export interface ResultLinkProps {
  readonly outcome: Outcome;
  readonly answers: Answers;
  /** Address of the redirect to the outcome's partner. */
  readonly href: string;
  /** Global Privacy Control: the link carries no answers. */
  readonly gpc: boolean;
}

/** The button that leads to the recommended platform. `position`: the part of the result that it is in. */
export function ResultLink(props: ResultLinkProps & { readonly position: string }) {
  const { outcome, answers } = props;
  const { businessType, budget } = answers;
  return (
    <PartnerLink
      href={buildAddress(props.href, { answers: props.gpc ? undefined : JSON.stringify(answers) })}
      source={RESULTS_SOURCE}
      event="assessment_conversion"
      label={buildConversionLabel(answers, outcome)}
      value={1}
      data={{ business_type: businessType, budget, platform: outcome.platform }}
      position={props.position}
      className="button button-primary"
    >
      {outcome.ctaText}
    </PartnerLink>
  );
}
