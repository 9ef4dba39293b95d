import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';

/** The way to the assessment for readers who do not want to read on. */
export function AssessmentTile({ copy }: { readonly copy: Assessment['copy']['intro'] }) {
  return (
    <div className="grid gap-x-16 gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <h2 className="text-3xl">{copy.headline}</h2>
      <div>
        <p className="max-w-text text-lg">{copy.lead}</p>
        <p className="mt-6">
          <a
            href={ASSESSMENT_PATH}
            className="button button-primary"
            data-action="call_to_action"
            data-label="assessment"
            data-source="blog"
            data-position="after-list"
          >
            {copy.start}
          </a>
        </p>
      </div>
    </div>
  );
}
