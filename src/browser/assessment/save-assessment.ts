import { type Answers, hasAnswers, parseAnswers } from '../../core/assessment/answers.ts';
import type { Question } from '../../core/assessment/assessment.schema.ts';
import { ANSWERS_KEY, ATTRIBUTION_KEY } from '../../core/consent/storage-keys.ts';
import type { WireEvent } from '../../core/events/wire-event.ts';
import { hasGpc } from '../consent/gpc.ts';
import { createId, deliver } from '../events/outbox.ts';
import {
  readSessionState,
  readStoredJson,
  removeStored,
  writeSessionState,
  writeStored,
} from '../storage.ts';

/** Session state: the answers that were sent last, so that a reload sends nothing. */
const SENT = 'assessment-sent';
const STEPS = 'assessment-steps';

/** Reads this tab's answers. */
export function readAnswers(questions: readonly Question[]): Answers {
  return parseAnswers(readStoredJson('session', ANSWERS_KEY), questions);
}

/** Writes this tab's answers, or removes them when they are empty. */
export function writeAnswers(answers: Answers): void {
  if (!hasAnswers(answers)) removeStored('session', ANSWERS_KEY);
  else writeStored('session', ANSWERS_KEY, JSON.stringify(answers));
}

/** Sends finished answers in the background, unless these were sent in this session already, or GPC forbids it. */
export function sendAssessment(answers: Answers): void {
  if (hasGpc() || readSessionState(SENT) === JSON.stringify(answers)) return;
  markAssessmentSent(answers);
  const time = Date.now();
  whenSessionKnown((session) => deliver({ id: createId(), session, time, answers, ...readMode() }));
}

/** Reports that a step was shown, unless it was in this session already, or GPC forbids it. */
export function sendStep(step: number): void {
  const sent = [readSessionState(STEPS)].flat();
  if (hasGpc() || sent.includes(step)) return;
  writeSessionState(STEPS, [...sent, step]);
  const page = location.pathname;
  const time = Date.now();
  whenSessionKnown((session) =>
    deliver({
      id: createId(),
      name: 'assessment_step',
      session,
      page,
      time,
      value: step,
      ...readMode(),
    } satisfies WireEvent),
  );
}

/** Records that the server has these answers. */
export function markAssessmentSent(answers: Answers): void {
  writeSessionState(SENT, JSON.stringify(answers));
}

/** Forgets what was sent: an assessment that is taken again counts again. */
export function forgetSentAssessment(): void {
  writeSessionState(SENT, undefined);
}

/** What events say of storage-free mode. */
const readMode = () => window.held && ({ free: true } as const);

/** What waits for the session, in its order. */
const waiting: ((session: string) => void)[] = [];

/**
 * Calls `work` with the session once the visit script, which loads after the first paint, has stored one: after 2 s, or
 * when the page is left, without.
 */
function whenSessionKnown(work: (session: string) => void): void {
  const end = Date.now() + 2_000;
  const look = (event?: Event) => {
    const session = readSession();
    if (session === '' && !window.held && event === undefined && Date.now() < end) return;
    clearInterval(timer);
    removeEventListener('pagehide', look);
    for (const next of waiting.splice(0)) next(session);
  };
  waiting.push(work);
  const timer = setInterval(look, 50);
  addEventListener('pagehide', look);
  look();
}

/** Reads the session id that the visit script, a bundle of its own, has stored; empty without one. */
function readSession(): string {
  const { session } = Object(readStoredJson('session', ATTRIBUTION_KEY));
  return typeof session === 'string' && /^[\w-]{1,64}$/.test(session) ? session : '';
}
