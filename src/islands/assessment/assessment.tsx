import type { FormEvent } from 'react';
import { listUnanswered } from '../../core/assessment/answers.ts';
import type { AssessmentContent, AssessmentStart } from './assessment-props.ts';
import { FormWithoutScripts } from './form-without-scripts.tsx';
import { QuestionForm } from './question-form.tsx';
import { Results } from './results.tsx';
import { ResultsWaiting } from './results-waiting.tsx';
import { useAssessment } from './use-assessment.ts';
import { useDigits } from './use-digits.ts';
import { useIntro } from './use-intro.ts';
import { useViewFocus } from './use-view-focus.ts';

/**
 * The assessment: four steps and the result; the intro is HTML of the page around it.
 * Before it hydrates, and without scripts, the same HTML works as forms.
 */
export function Assessment(props: { readonly content: AssessmentContent; readonly start: AssessmentStart }) {
  const { content, start } = props;
  const { questions } = content;
  const { state, go, choose, retake } = useAssessment(content, start);
  const { view, answers, linked, live } = state;
  const step = view.name === 'step' ? view.step : null;
  useIntro(state, questions.length, go);
  useDigits(step !== null);
  useViewFocus(state);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step !== null && step < questions.length) go({ name: 'step', step: step + 1 });
    else if (listUnanswered(answers, questions).length === 0) go({ name: 'results' });
    else document.querySelector<HTMLElement>('#form-errors')?.focus();
  };
  return (
    <div>
      {view.name === 'intro' && <FormWithoutScripts content={content} />}
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
