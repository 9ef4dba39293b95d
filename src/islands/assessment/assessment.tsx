import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { hasAnswers, listUnanswered } from '../../core/assessment/answers.ts';
import { parseView } from '../../core/assessment/assessment-view.ts';
import type { AssessmentContent, AssessmentStart } from './assessment-props.ts';
import { QuestionForm } from './question-form.tsx';
import { Results } from './results.tsx';
import { ResultsWaiting } from './results-waiting.tsx';
import { useAssessment } from './use-assessment.ts';
import { useDigits } from './use-digits.ts';
import { useViewFocus } from './use-view-focus.ts';

/**
 * The assessment: intro (HTML of the page, handed in as children), four steps, results.
 * Before it hydrates, and without scripts, the same HTML works as forms.
 */
export function Assessment(props: {
  readonly content: AssessmentContent;
  readonly start: AssessmentStart;
  readonly children?: ReactNode;
}) {
  const { content, start } = props;
  const { questions } = content;
  const { state, go, choose, retake } = useAssessment(content, start);
  const { view, answers, linked, live } = state;
  const root = useRef<HTMLDivElement>(null);
  const step = view.name === 'step' ? view.step : null;
  useDigits(step !== null);
  useViewFocus(root, state);
  useEffect(() => {
    const resume = root.current?.querySelector('[data-resume]');
    resume?.classList.toggle('invisible', !hasAnswers(answers));
  }, [answers]);

  const openIntroForm = (event: FormEvent<HTMLDivElement>) => {
    const asked = event.target instanceof HTMLFormElement ? new FormData(event.target).get('step') : null;
    if (asked === null) return;
    event.preventDefault();
    go(parseView(String(asked), questions.length));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step !== null && step < questions.length) go({ name: 'step', step: step + 1 });
    else if (listUnanswered(answers, questions).length === 0) go({ name: 'results' });
    else root.current?.querySelector<HTMLElement>('#form-errors')?.focus();
  };
  return (
    <div ref={root} onSubmit={openIntroForm} className="assessment">
      <div hidden={view.name !== 'intro'}>{props.children}</div>
      {state.unread && <p className="note my-6">{content.copy.results.unread}</p>}
      {(step !== null || view.name === 'form') && (
        <QuestionForm
          content={content}
          answers={answers}
          step={step}
          marked={view.name === 'form'}
          titled
          live={live}
          onChoose={choose}
          onBack={() =>
            go(step === null || step === 1 ? { name: 'intro' } : { name: 'step', step: step - 1 })
          }
          onSubmit={submit}
        />
      )}
      {view.name === 'results' &&
        (live || start.posted ? (
          <Results
            content={content}
            answers={linked ?? answers}
            linked={linked !== null}
            onGo={go}
            reduced={start.reduced || (live && navigator.globalPrivacyControl === true)}
            onRetake={linked === null ? retake : () => go({ name: 'intro' })}
          />
        ) : (
          <ResultsWaiting content={content} />
        ))}
    </div>
  );
}
