import type { EventParts } from '../journey/build-site-event.ts';
import { ASSESSMENT_PATH } from './assessment-view.ts';
import { buildConversionLabel, type Rules, recommend } from './recommend.ts';
import type { AssessmentSubmission } from './submission.schema.ts';

/** Builds the event that keeps finished answers: what was answered and what was recommended, and nobody's name. */
export function buildCompletedEvent(
  rules: Rules,
  { id, session, answers, time }: Omit<AssessmentSubmission, 'time'> & { readonly time?: unknown },
): EventParts {
  const outcome = recommend(rules, answers.businessType);
  return {
    id,
    name: 'assessment_completed',
    session,
    page: ASSESSMENT_PATH,
    label: buildConversionLabel(answers, outcome),
    value: 1,
    data: {
      business_type: answers.businessType,
      revenue: answers.revenue,
      challenges: answers.challenges,
      budget: answers.budget,
      platform: outcome.platform,
    },
    clientTime: time,
  };
}
