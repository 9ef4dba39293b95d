/** A person takes longer to fill in a form, and programs send the same form for days. */
const MIN_FORM_AGE_MS = 3_000;
const MAX_FORM_AGE_MS = 24 * 3_600_000;

const TOO_FAST = 'The form was filled in faster than a person can type. Wait a moment and send it again.';
const EXPIRED = 'This form has expired. What you entered is still here; send it once more.';

/**
 * What the age of a form in ms says about who sends it: why it is refused, and whether it may be sent once more as it is.
 * `ageMs`: null for a form that the site has not issued.
 */
export function judgeFormAge(ageMs: number | null): {
  readonly problem: string | null;
  readonly isFresh: boolean;
} {
  if (ageMs === null || ageMs > MAX_FORM_AGE_MS) return { problem: EXPIRED, isFresh: false };
  return { problem: ageMs < MIN_FORM_AGE_MS ? TOO_FAST : null, isFresh: true };
}

/**
 * The flags of a form's event. A filled honeypot, a hidden field that only programs fill in, makes it that of a bot; it is
 * stored all the same, because the browser of a person may have filled it in, and what that person sent must not be lost.
 */
export function listFormFlags<Flag extends string>(
  honeypot: string,
  flags: readonly Flag[],
): readonly (Flag | 'bot')[] {
  return honeypot === '' ? flags : [...flags, 'bot'];
}
