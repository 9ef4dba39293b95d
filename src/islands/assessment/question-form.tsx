import type { FormEvent } from 'react';
import { type Answers, isAnswered, listUnanswered } from '../../core/assessment/answers.ts';
import type { Assessment, Question } from '../../core/assessment/assessment.schema.ts';
import { buildViewAddress, computeProgress } from '../../core/assessment/assessment-view.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { type AssessmentContent, fillText } from './assessment-props.ts';
import { QuestionGroup } from './question-group.tsx';

interface QuestionFormProps {
  readonly content: Pick<AssessmentContent, 'questions' | 'copy'>;
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
      )}
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
      )}
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

/** What the posted form lacks, with a link to each question. */
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
