import { type Answers, listChosen } from '../../core/assessment/answers.ts';
import type { Option, Question } from '../../core/assessment/assessment.schema.ts';
import { Icon } from '../../ui/icon.tsx';

/** One question with its options. Outside its step it is visible only without scripts. */
export function QuestionGroup(props: {
  readonly question: Question;
  readonly answers: Answers;
  readonly current: boolean;
  /** Shown under the question while it is the current step; empty in the form. */
  readonly keys: string;
  /** Whether the form was posted without an answer to it. */
  readonly missing: boolean;
  readonly onChoose: (question: Question, key: string) => void;
}) {
  const { question, answers, current, missing } = props;
  const { field, kind } = question;
  const chosen = listChosen(answers, question);
  const title = `question-${field}`;
  return (
    <fieldset
      aria-describedby={missing ? `${title}-help ${title}-error` : `${title}-help`}
      data-question={field}
      className={`question ${current ? 'question-current' : 'hidden noscript:grid'}`}
    >
      <legend className="sr-only">{question.title}</legend>
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
        {question.options.map((option, index) => (
          <OptionRow
            key={option.key}
            kind={kind}
            field={field}
            option={option}
            digit={index + 1}
            checked={chosen.includes(option)}
            invalid={missing}
            onChoose={() => props.onChoose(question, option.key)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** A native radio button or checkbox in a row that can be clicked anywhere, with the digit that chooses it. */
function OptionRow(props: {
  readonly kind: 'single' | 'multiple';
  readonly field: string;
  readonly option: Option;
  readonly digit: number;
  readonly checked: boolean;
  readonly invalid: boolean;
  readonly onChoose: () => void;
}) {
  const { option, digit } = props;
  return (
    <label className="option">
      <input
        type={props.kind === 'single' ? 'radio' : 'checkbox'}
        name={props.field}
        value={option.key}
        checked={props.checked}
        onChange={props.onChoose}
        data-digit={digit}
        aria-invalid={props.invalid || undefined}
        className="option-mark"
      />
      <span className="flex-1">{option.label}</span>
      <kbd aria-hidden className="option-key" data-key={digit} />
    </label>
  );
}
