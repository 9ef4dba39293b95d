import { cleanText } from '../text/parse-text.ts';
import { isEmailAddress, MAX_EMAIL } from './delivery-addresses.ts';

/** The newsletter services whose API takes sign-ups. */
export const NEWSLETTER_SERVICES = ['buttondown', 'kit'] as const;
export type NewsletterService = (typeof NEWSLETTER_SERVICES)[number];

export interface NewsletterSignup {
  readonly email: string;
  readonly hasConsent: boolean;
}

/** Parses the posted fields; a value that is not text counts as empty. */
export function parseNewsletterSignup(read: (field: 'email' | 'consent') => unknown): NewsletterSignup {
  const email = read('email');
  return {
    email: typeof email === 'string' ? email.slice(0, 1_000) : '',
    hasConsent: read('consent') === 'yes',
  };
}

/** The address as it is stored. */
export function cleanNewsletterEmail({ email }: NewsletterSignup): string {
  return cleanText(email, MAX_EMAIL);
}

/** Writes a sentence for each field that has to change; without one the visitor can be signed up. */
export function checkNewsletterSignup({ email, hasConsent }: NewsletterSignup) {
  const errors: Partial<Record<'email' | 'consent', string>> = {};
  if (!isEmailAddress(email)) errors.email = 'Check the email address. It should look like name@example.com.';
  if (!hasConsent) errors.consent = 'Check the box to agree; without it we cannot sign you up.';
  return errors;
}
