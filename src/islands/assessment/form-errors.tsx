import type { Assessment, Question } from '../../core/content/assessment.schema.ts';

/** What the posted form lacks, with a link to each question. */
export function FormErrors(props: {
  readonly copy: Assessment['copy']['form'];
  readonly missing: readonly Question[];
}) {
  return (
    <div
      id="form-errors"
      role="alert"
      tabIndex={-1}
      className="my-6 rounded border-2 border-danger bg-danger-wash p-5"
    >
      <p className="font-display text-xl font-semibold">{props.copy.errorTitle}</p>
      <p className="mt-1">{props.copy.errorLead}</p>
      <ul className="mt-3 grid gap-1">
        {props.missing.map(({ field, error }) => (
          <li key={field}>
            <a className="inline-block py-1 text-danger" href={`#question-${field}`}>
              {error}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
