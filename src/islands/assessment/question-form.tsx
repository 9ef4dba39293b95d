import type { FormEvent, MouseEvent } from 'react';
import {
  type Answers,
  type AssessmentView,
  buildViewAddress,
  computeProgress,
  isAnswered,
  listChosen,
  listUnanswered,
} from '../../core/assessment/answers.ts';
import type { Assessment, Option, Question } from '../../core/assessment/assessment.schema.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { type AssessmentContent, fillText } from './assessment-props.ts';

interface QuestionFormProps {
  readonly content: AssessmentContent;
  readonly answers: Answers;
  /** From 1; null: all questions at once. */
  readonly step: number | null;
  /** Marks the questions that lack an answer: the form has been posted. */
  readonly marked: boolean;
  /** Whether the form is the main content of the page, with the heading; else it is part of another view. */
  readonly titled: boolean;
  /** Whether scripts run: without them nothing would enable Continue again. */
  readonly isHydrated: boolean;
  readonly onChoose?: (question: Question, key: string) => void;
  readonly onBack?: () => void;
  readonly onSubmit?: (event: FormEvent) => void;
}

/** The four questions as one form: a step at a time with scripts, all of them without. */
export function QuestionForm(props: QuestionFormProps) {
  const { answers, step, isHydrated } = props;
  const { questions, copy } = props.content;
  const current = step === null ? undefined : questions[step - 1];
  const missing = props.marked ? listUnanswered(answers, questions) : [];
  const ready = current === undefined || isAnswered(answers, current);
  return (
    <form
      method="post"
      action={ASSESSMENT_PATH}
      noValidate
      className="question-form"
      onSubmit={props.onSubmit}
    >
      {props.titled && (
        <h1 className="mb-3 text-sm font-semibold tracking-normal text-muted">{copy.title}</h1>
      )}
      {step !== null && (
        <StepBar
          text={fillText(copy.step.progress, { step, steps: questions.length })}
          step={step}
          steps={questions.length}
        />
      )}
      {missing.length > 0 && <FormErrors copy={copy.form} missing={missing} />}
      {questions.map((question) => (
        <QuestionGroup
          key={question.field}
          question={question}
          answers={answers}
          current={step === null || question === current}
          keys={step === null ? '' : question.kind === 'multiple' ? copy.step.keysMultiple : copy.step.keys}
          missing={missing.includes(question)}
          onChoose={props.onChoose ?? ignore}
        />
      ))}
      <StepActions
        copy={copy}
        current={current}
        nextAddress={findNextAddress(step, questions.length)}
        ready={ready}
        isHydrated={isHydrated}
        onBack={props.onBack}
      />
    </form>
  );
}

/** The buttons below the questions; `current`: the question of the step, undefined for all at once. */
function StepActions(props: {
  readonly copy: Pick<Assessment['copy'], 'form' | 'step'>;
  readonly current: Question | undefined;
  /** Where Continue leads before the page is hydrated. */
  readonly nextAddress: string;
  readonly ready: boolean;
  readonly isHydrated: boolean;
  readonly onBack: (() => void) | undefined;
}) {
  const { copy, current, nextAddress, ready, isHydrated, onBack } = props;
  return (
    <div className="step-actions">
      {current !== undefined && (
        <button type="button" className="button button-quiet noscript:hidden" onClick={onBack}>
          <Icon name="arrow-left" />
          {copy.step.back}
        </button>
      )}{' '}
      {current !== undefined && (
        <button
          type="submit"
          formAction={nextAddress}
          className="button button-primary step-next noscript:hidden"
          disabled={isHydrated && !ready}
          aria-describedby={ready ? undefined : 'step-hint'}
        >
          {copy.step.next}
        </button>
      )}{' '}
      <button
        type="submit"
        className={`button button-primary ${current === undefined ? '' : 'hidden noscript:inline-flex'}`}
      >
        {copy.form.submit}
      </button>
      {current !== undefined && (
        <p id="step-hint" className="step-hint" data-ready={ready || undefined}>
          {current.hint}
        </p>
      )}
    </div>
  );
}

function findNextAddress(step: number | null, steps: number): string {
  return buildViewAddress(
    step === null || step >= steps ? { name: 'results' } : { name: 'step', step: step + 1 },
  );
}

function ignore(): void {
  // Before hydration the browser keeps the state of the inputs.
}

/** The progress: "Step 2 of 4", announced when it changes, and a bar from 0 to 100. */
function StepBar(props: { readonly text: string; readonly step: number; readonly steps: number }) {
  return (
    <div className="noscript:hidden">
      <p id="step-text" role="status" className="tabular text-sm text-muted">
        {props.text}
      </p>
      <progress
        aria-labelledby="step-text"
        className="step-progress"
        max={100}
        value={computeProgress(props.step, props.steps)}
      />
    </div>
  );
}

function FormErrors(props: {
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
      <div className="font-display text-xl font-semibold">{props.copy.errorTitle}</div>
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

/** One question with its options. Outside its step it is visible only without scripts. */
function QuestionGroup(props: {
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

/** The answers behind the result, each with a link to its question; without links when they came with a shared link. */
export function AnswerList(props: {
  readonly content: AssessmentContent;
  readonly answers: Answers;
  readonly onGo: ((view: AssessmentView) => void) | null;
}) {
  const { content, answers, onGo } = props;
  const { questions, copy } = content;
  return (
    <section aria-labelledby="answers-title" className="answer-slip">
      <h2 id="answers-title" className="text-sm tracking-normal text-muted">
        {copy.results.answersTitle}
      </h2>
      <dl>
        {questions.map((question, index) => {
          const { field, title } = question;
          const view: AssessmentView = { name: 'step', step: index + 1 };
          const open = (event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onGo?.(view);
          };
          return (
            <div key={field} className="border-t border-line py-3">
              <dt className="flex justify-between gap-4 text-sm text-muted">
                {title}
                {onGo !== null && (
                  <a
                    href={buildViewAddress(view)}
                    onClick={open}
                    data-print="hide"
                    className="py-1 text-accent"
                  >
                    {copy.results.change}
                    <span className="sr-only"> {title}</span>
                  </a>
                )}
              </dt>
              {listChosen(answers, question).map(({ key, label }) => (
                <dd key={key} className="tabular py-0.5 leading-snug font-semibold">
                  {label}
                </dd>
              ))}
            </div>
          );
        })}
      </dl>
    </section>
  );
}
