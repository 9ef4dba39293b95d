import type { FormEvent } from 'react';
import { type AssessmentAnswers, isAnswered, listUnanswered } from '../../core/assessment/answers.ts';
import type { Question } from '../../core/content/assessment.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { type AssessmentContent, fillText } from './assessment-props.ts';
import { FormErrors } from './form-errors.tsx';
import { QuestionGroup } from './question-group.tsx';
import { StepBar } from './step-bar.tsx';

export interface QuestionFormProps {
  readonly content: Pick<AssessmentContent, 'questions' | 'copy'>;
  readonly answers: AssessmentAnswers;
  /** From 1; null: all questions at once. */
  readonly step: number | null;
  /** Marks the questions that lack an answer: the form has been posted. */
  readonly marked: boolean;
  /** Whether the form is the page's own content, with its heading; else it stands inside another. */
  readonly titled: boolean;
  /** Whether scripts run; Continue is never disabled for those who could not enable it. */
  readonly live: boolean;
  readonly onChoose?: (question: Question, label: string) => void;
  readonly onBack?: () => void;
  readonly onSubmit?: (event: FormEvent) => void;
}

/** The four questions as one form: a step at a time with scripts, all of them without. */
export function QuestionForm(props: QuestionFormProps) {
  const { answers, step, live } = props;
  const { questions, copy } = props.content;
  const current = step === null ? undefined : questions[step - 1];
  const missing = props.marked ? listUnanswered(answers, questions) : [];
  const ready = current === undefined || isAnswered(answers, current);
  return (
    <form method="post" action="/assessment" noValidate className="question-form" onSubmit={props.onSubmit}>
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
      <div className="step-actions">
        {step !== null && (
          <button type="button" className="button button-quiet noscript:hidden" onClick={props.onBack}>
            <Icon name="arrow-left" />
            {copy.step.back}
          </button>
        )}
        {current !== undefined && (
          <button
            type="submit"
            className="button button-primary step-next noscript:hidden"
            disabled={live && !ready}
            aria-describedby={ready ? undefined : 'step-hint'}
          >
            {copy.step.next}
          </button>
        )}
        <button
          type="submit"
          className={`button button-primary ${step === null ? '' : 'hidden noscript:inline-flex'}`}
        >
          {copy.form.submit}
        </button>
        {current !== undefined && (
          <p id="step-hint" className="step-hint" data-ready={ready || undefined}>
            {current.hint}
          </p>
        )}
      </div>
    </form>
  );
}

function ignore(): void {
  // Without scripts the browser itself keeps what is chosen.
}
