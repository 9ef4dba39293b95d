/** Names are compared without regard to case and composition. */
export function buildOperatorNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** The choices of the first day of a week. */
export const WEEK_STARTS = ['monday', 'sunday'] as const;
export type WeekStart = (typeof WEEK_STARTS)[number];

/** How often a digest can be wanted. */
export const DIGEST_CHOICES = ['off', 'daily', 'weekly'] as const;
export type DigestChoice = (typeof DIGEST_CHOICES)[number];

/** The hour of the day from which a digest is sent. */
export const DIGEST_HOUR = 7;

/** What operators who manage choose in the settings, for the whole console. */
export interface ConsolePreferences {
  readonly digest: DigestChoice;
  readonly weekStart: WeekStart;
}

/** The preferences before any was chosen. */
export const DEFAULT_PREFERENCES: ConsolePreferences = { digest: 'off', weekStart: 'monday' };
