import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  forgetSentAssessment,
  markAssessmentSent,
  readAnswers,
  sendAssessment,
  sendStep,
  writeAnswers,
} from '../../browser/assessment/save-assessment.ts';
import { hasGpc } from '../../browser/consent/gpc.ts';
import { whenModeKnown } from '../../browser/storage.ts';
import {
  type Answers,
  type AssessmentView,
  buildPricesAddress,
  buildViewAddress,
  chooseOption,
  hasAnswers,
  isAnswered,
  listUnanswered,
  NO_ANSWERS,
  parseAnswers,
  parseAnswersFragment,
  parseView,
  resolveView,
} from '../../core/assessment/answers.ts';
import type { Question } from '../../core/assessment/assessment.schema.ts';
import type { AssessmentContent } from './assessment-props.ts';
import { QuestionForm } from './question-form.tsx';
import { Results } from './results.tsx';

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
  const isPrivate = linked !== null || (isHydrated && hasGpc());
  usePrices(
    isHydrated && view.name === 'results',
    buildPricesAddress(isPrivate ? NO_ANSWERS : answers, questions),
  );

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
      {state.isRestarted && <p className="note my-6">{content.copy.step.restarted}</p>}
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

function EmptyForm(props: { readonly content: AssessmentContent; readonly titled: boolean }) {
  return <QuestionForm {...props} answers={NO_ANSWERS} step={null} marked={false} isHydrated={false} />;
}

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

/** Moves the focus to the heading of each new view, so that it is announced, and scrolls to the top of the page. */
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
      shown.startsWith('step') ? '.question-current h2' : 'h1, [aria-level]',
    );
    const heading = [...headings].find((one) => one.getClientRects().length > 0);
    if (heading === undefined) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  }, [shown, isHydrated]);
}

/** `form`: all questions at once, as visitors without scripts get them, with unanswered ones marked. */
export type ShownView = AssessmentView | { readonly name: 'form' };

/** What the server rendered, and the browser continues with. */
export interface RenderedState {
  readonly view: ShownView;
  readonly answers: Answers;
  /** Whether the answers came with a posted form, which the server has stored. */
  readonly posted: boolean;
  /** Whether the form came with `Sec-GPC: 1`: links carry no answers then. */
  readonly gpc: boolean;
}

/** The state of a visitor's own assessment, as opposed to one that was opened by a link to a result. */
const NOT_LINKED = { linked: null, isLinkIncomplete: false, isRestarted: false } as const;

/** What the assessment shows in the browser. */
export interface AssessmentState {
  readonly view: ShownView;
  /** The visitor's own. */
  readonly answers: Answers;
  /** Those of a link to a result, shown instead of the visitor's own. */
  readonly linked: Answers | null;
  /** Whether a link to a result was opened that lacks answers. */
  readonly isLinkIncomplete: boolean;
  /** Whether a later step was asked for than the answers allow, where they are not stored in the browser. */
  readonly isRestarted: boolean;
  readonly isHydrated: boolean;
}

/** Builds the state from the server's HTML: posted answers, else stored ones with what was chosen before hydration. */
function hydrateState(questions: readonly Question[], rendered: RenderedState): AssessmentState {
  if (rendered.posted) {
    writeAnswers(rendered.answers);
    if (rendered.view.name === 'results') {
      markAssessmentSent(rendered.answers);
      history.replaceState(null, '', buildViewAddress(rendered.view));
    }
    const { view, answers } = rendered;
    return { view, answers, ...NOT_LINKED, isHydrated: true };
  }
  const answers = mergeAnswers(readAnswers(questions), readChosen(questions), questions);
  if (hasAnswers(answers)) writeAnswers(answers);
  return { answers, isHydrated: true, ...readLocation(questions, answers) };
}

/** Reads the view that the address names and the answers allow; an address ahead of the answers is corrected. */
function readLocation(questions: readonly Question[], answers: Answers) {
  const wanted = parseView(new URLSearchParams(location.search).get('step'), questions.length);
  const linked = wanted.name === 'results' ? parseAnswersFragment(location.hash, questions) : null;
  if (linked !== null && listUnanswered(linked, questions).length === 0) {
    return { ...NOT_LINKED, view: wanted, linked };
  }
  const view = resolveView(wanted, answers, questions);
  const address = buildViewAddress(view);
  const isAhead = address !== buildViewAddress(wanted);
  if (isAhead) history.replaceState(null, '', address);
  const isLinkIncomplete = linked !== null;
  return {
    view,
    linked: null,
    isLinkIncomplete,
    isRestarted: isAhead && !isLinkIncomplete && Boolean(window.held),
  };
}

/** Reads what was chosen in the server's HTML before hydration. */
function readChosen(questions: readonly Question[]): Answers {
  const form = document.querySelector<HTMLFormElement>('.question-form');
  const data = form === null ? new FormData() : new FormData(form);
  const chosen = questions.map(({ field }) => [field, data.getAll(field)] as const);
  return parseAnswers(Object.fromEntries(chosen), questions);
}

function mergeAnswers(stored: Answers, chosen: Answers, questions: readonly Question[]): Answers {
  const picked = questions
    .filter((question) => isAnswered(chosen, question))
    .map(({ field }) => [field, chosen[field]]);
  return { ...stored, ...Object.fromEntries(picked) };
}

/** The assessment's state: answers in session storage, the view in the address, finished answers to the server. */
function useAssessment({ questions }: AssessmentContent, rendered: RenderedState) {
  const [state, setState] = useState<AssessmentState>({
    ...rendered,
    ...NOT_LINKED,
    isHydrated: false,
  });

  useLayoutEffect(() => {
    whenModeKnown(() => setState(hydrateState(questions, rendered)));
    const follow = () => setState((before) => ({ ...before, ...readLocation(questions, before.answers) }));
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('hashchange', follow);
    };
  }, [questions, rendered]);

  const isFinished = state.isHydrated && state.view.name === 'results' && state.linked === null;
  useEffect(() => {
    if (isFinished) sendAssessment(state.answers);
  }, [isFinished, state.answers]);

  const step = state.isHydrated && state.view.name === 'step' ? state.view.step : null;
  useEffect(() => {
    if (step !== null) sendStep(step);
  }, [step]);

  const store = useCallback((answers: Answers) => {
    writeAnswers(answers);
    setState((before) => ({ ...before, answers }));
  }, []);

  const go = (wanted: AssessmentView) => {
    const view = resolveView(wanted, state.answers, questions);
    history.pushState(null, '', buildViewAddress(view));
    setState({ ...state, ...NOT_LINKED, view });
  };

  return {
    state,
    go,
    choose: (question: Question, key: string) => store(chooseOption(state.answers, question, key)),
    retake: () => {
      writeAnswers(NO_ANSWERS);
      forgetSentAssessment();
      history.pushState(null, '', buildViewAddress({ name: 'intro' }));
      setState({ ...state, ...NOT_LINKED, answers: NO_ANSWERS, view: { name: 'intro' } });
    },
  };
}

/**
 * Joins the intro, which is HTML of the page, to the state: it is there in its own view only, its buttons open
 * views without loading a page, and it offers to go on when there are answers.
 */
function useIntro(state: AssessmentState, steps: number, go: (view: AssessmentView) => void): void {
  const { view, answers, isHydrated } = state;
  const isIntro = view.name === 'intro';
  const open = useRef(go);
  open.current = go;

  useLayoutEffect(() => {
    if (!isHydrated) return;
    for (const part of findParts()) part.hidden = !isIntro;
  }, [isHydrated, isIntro]);

  useEffect(() => {
    const resume = document.querySelector('[data-resume]');
    resume?.classList.toggle('invisible', !hasAnswers(answers));
  }, [answers]);

  useEffect(() => {
    const submit = (event: SubmitEvent) => {
      if (!(event.target instanceof HTMLFormElement)) return;
      event.preventDefault();
      open.current(parseView(String(new FormData(event.target).get('step')), steps));
    };
    const parts = findParts();
    for (const part of parts) part.addEventListener('submit', submit);
    return () => {
      for (const part of parts) part.removeEventListener('submit', submit);
    };
  }, [steps]);
}

/**
 * Loads the table of prices, which is HTML of the page below the island, with a result: at once, so that it is there when
 * the reader is. It comes without the answers of a linked result or of visitors with Global Privacy Control.
 */
function usePrices(isShown: boolean, address: string): void {
  useEffect(() => {
    const place = document.querySelector<HTMLElement>('[data-prices]');
    if (place === null) return;
    place.hidden = !isShown;
    if (!isShown) return;
    import('../../browser/products/update-volume-prices.ts').then(
      ({ loadTable }) => loadTable(place, address),
      () => undefined,
    );
  }, [isShown, address]);
}

function findParts(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-intro]')];
}

/** Lets number keys choose an option of the current question, and Enter continue, except on a button or link. */
function useNumberShortcuts(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const act = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
      const form = document.querySelector<HTMLFormElement>('.question-form');
      if (form === null || isElsewhere(event.target, form)) return;
      if (event.key === 'Enter') goOn(event, form);
      else if (/^[1-9]$/.test(event.key)) choose(event, form);
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [isOn]);
}

/** Keys typed into another field, or meant for a button or link, are not ours. */
function isElsewhere(target: EventTarget | null, form: HTMLFormElement): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('button, a, summary, select, textarea, [contenteditable]') !== null) return true;
  return target.matches('input') && !form.contains(target);
}

function choose(event: KeyboardEvent, form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>(`.question-current [data-digit="${event.key}"]`);
  if (input === null) return;
  event.preventDefault();
  input.focus();
  if (input.type === 'checkbox' || !input.checked) input.click();
}

function goOn(event: KeyboardEvent, form: HTMLFormElement): void {
  event.preventDefault();
  const next = form.querySelector<HTMLButtonElement>('.step-next');
  if (next !== null && !next.disabled) form.requestSubmit(next);
}
