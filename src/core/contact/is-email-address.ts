import { cleanText } from '../text/clean-text.ts';

export const MAX_EMAIL = 254;

const EMAIL = /^[^\s@<>()[\]"',;:\\]+@[^\s@<>()[\]"',;:\\]+\.[^\s@<>()[\]"',;:\\.]+$/;

/** Whether a typed text looks like an email address, apart from spaces around it. */
export function isEmailAddress(typed: string): boolean {
  return typed.trim().length <= MAX_EMAIL && EMAIL.test(cleanText(typed, MAX_EMAIL));
}
