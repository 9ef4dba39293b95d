import type { AssessmentAnswers } from '../core/assessment/answers.ts';
import { readRecord, removeRecord, writeRecord } from './session-record.ts';

const UNSENT = 'assessment_unsent';
const SAVED = 'assessment_saved';
const LONGEST_WAIT_MS = 30_000;
const MOST_TRIES = 12;

interface Submission {
  readonly id: string;
  readonly session: string;
  readonly time: number;
  readonly answers: AssessmentAnswers;
}

let lastSaved = '';

/**
 * Hands finished answers to the server in the background. The same answers again, as after a reload, are not sent
 * again; those of a visitor who asks for privacy (Global Privacy Control) never.
 */
export function saveAssessment(answers: AssessmentAnswers): void {
  if (navigator.globalPrivacyControl || isSaved(answers)) return;
  markAssessmentSaved(answers);
  const submission: Submission = { id: makeId(), session: readSession(), time: Date.now(), answers };
  writeRecord(UNSENT, submission);
  void deliver(submission);
}

/** Notes that the server has these answers already. */
export function markAssessmentSaved(answers: AssessmentAnswers): void {
  lastSaved = JSON.stringify(answers);
  writeRecord(SAVED, lastSaved);
}

/** Forgets that anything was saved: whoever answers anew counts anew. */
export function forgetSavedAssessment(): void {
  lastSaved = '';
  removeRecord(SAVED);
}

/** Goes on with what an earlier page could not deliver. */
export function resumeSaving(): void {
  const kept = readRecord(UNSENT);
  if (typeof kept === 'object' && kept !== null && 'id' in kept) void deliver(kept as Submission);
}

/** As `new-id.ts`: importing it here would split it from the tracker, and cost every page a request more. */
function makeId(): string {
  return URL.createObjectURL(new Blob()).slice(-36);
}

/** The id of the session as the tracker keeps it; empty without one. */
function readSession(): string {
  const kept = readRecord('utm_original_params');
  const session = typeof kept === 'object' && kept !== null && 'session' in kept ? kept.session : '';
  return typeof session === 'string' && /^[\w-]{1,64}$/.test(session) ? session : '';
}

function isSaved(answers: AssessmentAnswers): boolean {
  return JSON.stringify(answers) === (lastSaved || readRecord(SAVED));
}

async function deliver(submission: Submission): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (await post(submission)) return forget(submission);
    await waitForNext(tries);
  }
}

/** Whether the server has it, or will never take it. */
async function post(submission: Submission): Promise<boolean> {
  try {
    const answer = await fetch('/api/assessments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(submission),
      keepalive: true,
    });
    // An answer that nobody reads holds its connection.
    await answer.text();
    const { ok, status } = answer;
    return ok || (status >= 400 && status < 500 && status !== 408 && status !== 429);
  } catch {
    return false;
  }
}

function forget({ id }: Submission): void {
  const kept = readRecord(UNSENT);
  if (typeof kept === 'object' && kept !== null && 'id' in kept && kept.id === id) removeRecord(UNSENT);
}

/** Waits 1, 2, 4 … 30 seconds, a quarter more or less, or until the network is back. */
function waitForNext(tries: number): Promise<void> {
  const wait = Math.min(1000 * 2 ** tries, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2);
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, wait);
    addEventListener('online', go);
  });
}
