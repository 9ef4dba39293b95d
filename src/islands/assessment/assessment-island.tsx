import { type FormEvent, useEffect, useRef } from 'react';
import { hasGpc } from '../../browser/consent/gpc.ts';
import { listUnanswered, NO_ANSWERS } from '../../core/assessment/answers.ts';
import type { AssessmentContent } from './assessment-props.ts';
import { QuestionForm } from './question-form.tsx';
import { Results } from './results.tsx';
import {
  type AssessmentState,
  type RenderedState,
  useAssessment,
  useIntro,
  useNumberShortcuts,
} from './use-assessment.ts';

/**
 * The assessment: four steps and the result; the intro is HTML of the page around it.
 * Before it hydrates, and without scripts, the same HTML works as forms.
 */
export function AssessmentIsland(props: {
  readonly content: AssessmentContent;
  readonly rendered: RenderedState;
}) {
  const { content, rendered } = props;
  const { questions } = content;
  const { state, go, choose, retake } = useAssessment(content, rendered);
  const { view, answers, linked, isHydrated } = state;
  const step = view.name === 'step' ? view.step : null;
  useIntro(state, questions.length, go);
  useNumberShortcuts(step !== null);
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
      {state.isLinkIncomplete && <p className="note my-6">{content.copy.results.unread}</p>}
      {(step !== null || view.name === 'form') && (
        <QuestionForm
          content={content}
          answers={answers}
          step={step}
          marked={view.name === 'form'}
          titled
          isHydrated={isHydrated}
          onChoose={choose}
          onBack={() =>
            go(step === null || step === 1 ? { name: 'intro' } : { name: 'step', step: step - 1 })
          }
          onSubmit={submit}
        />
      )}
      {view.name === 'results' &&
        (isHydrated || rendered.posted ? (
          <Results
            content={content}
            answers={linked ?? answers}
            linked={linked !== null}
            onGo={go}
            gpc={rendered.gpc || (isHydrated && hasGpc())}
            onRetake={linked === null ? retake : () => go({ name: 'intro' })}
          />
        ) : (
          <ResultsWaiting content={content} />
        ))}
    </div>
  );
}

/** The four questions at once, for visitors without scripts. */
function EmptyForm(props: { readonly content: AssessmentContent; readonly titled: boolean }) {
  return <QuestionForm {...props} answers={NO_ANSWERS} step={null} marked={false} isHydrated={false} />;
}

/** The questions under the intro, for visitors without scripts. */
function FormWithoutScripts({ content }: { readonly content: AssessmentContent }) {
  const { form } = content.copy;
  return (
    <noscript>
      <section className="mt-16 border-t-2 border-line-strong pt-10">
        <h2 className="text-2xl">{form.title}</h2>
        <p className="mt-3 text-muted">{form.lead}</p>
        <EmptyForm content={content} titled={false} />
      </section>
    </noscript>
  );
}

/** The place of a result until the browser has read the answers; without scripts, the form that leads to one. */
function ResultsWaiting({ content }: { readonly content: AssessmentContent }) {
  const { results } = content.copy;
  return (
    <div className="min-h-[80vh]">
      <p className="text-lg text-muted noscript:hidden">{results.waiting}</p>
      <noscript>
        <p className="note mb-8">{results.noScript}</p>
        <EmptyForm content={content} titled />
      </noscript>
    </div>
  );
}

/**
 * Moves the focus to the heading of each new view, so that it is announced, and scrolls to the top of the page.
 */
function useViewFocus({ view, isHydrated }: AssessmentState): void {
  const seen = useRef<string | null>(null);
  const shown = view.name === 'step' ? `step ${view.step}` : view.name;
  useEffect(() => {
    if (!isHydrated) return;
    const isFirst = seen.current === null;
    const isNew = seen.current !== shown;
    seen.current = shown;
    const main = document.querySelector('main');
    if (isFirst || !isNew || main === null) return;
    const headings = main.querySelectorAll<HTMLElement>(
      shown.startsWith('step') ? '.question-current h2' : 'h1',
    );
    const heading = [...headings].find((one) => one.checkVisibility());
    if (heading === undefined) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    if (main.getBoundingClientRect().top < 0) scrollTo({ top: 0, behavior: 'instant' });
  }, [shown, isHydrated]);
}
