import { type AssessmentAnswers, listChosen } from '../../core/assessment/answers.ts';
import type { Question } from '../../core/content/assessment.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { OptionRow } from './option-row.tsx';

/** One question with its options. While it is not its turn it shows only to visitors without scripts. */
export function QuestionGroup(props: {
  readonly question: Question;
  readonly answers: AssessmentAnswers;
  readonly current: boolean;
  /** Shown under the question while it is the current step; empty in the form. */
  readonly keys: string;
  /** Whether the form came without an answer to it. */
  readonly missing: boolean;
  readonly onChoose: (question: Question, label: string) => void;
}) {
  const { question, answers, current, missing } = props;
  const { field, kind } = question;
  const chosen = listChosen(answers, field);
  const title = `question-${field}`;
  return (
    <fieldset
      aria-labelledby={title}
      aria-describedby={missing ? `${title}-help ${title}-error` : `${title}-help`}
      data-question={field}
      className={`question ${current ? 'question-current' : 'hidden noscript:grid'}`}
    >
      <div>
        <h2 id={title} tabIndex={-1} className="text-3xl outline-none">
          {question.title}
        </h2>
        <p id={`${title}-help`} className="mt-4 text-muted">
          {question.help}
        </p>
        {props.keys !== '' && <p className="keys-hint mt-2 text-sm text-muted">{props.keys}</p>}
        {missing && (
          <p id={`${title}-error`} className="mt-4 flex gap-2 font-semibold text-danger">
            <Icon name="alert" className="mt-1 size-[1.15em]" />
            {question.error}
          </p>
        )}
      </div>
      <div className="grid content-start gap-2.5">
        {question.options.map(({ key, label }, index) => (
          <OptionRow
            key={key}
            kind={kind}
            field={field}
            label={label}
            digit={index + 1}
            checked={chosen.includes(label)}
            invalid={missing}
            onChoose={() => props.onChoose(question, label)}
          />
        ))}
      </div>
    </fieldset>
  );
}
