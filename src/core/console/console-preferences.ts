/** The choices of the first day of a week. */
export const WEEK_STARTS = ['monday', 'sunday'] as const;
export type WeekStart = (typeof WEEK_STARTS)[number];

/** How often a digest can be wanted. */
export const DIGEST_CHOICES = ['off', 'daily', 'weekly'] as const;
export type DigestChoice = (typeof DIGEST_CHOICES)[number];

/** What owners choose in the settings, for the whole console. */
export interface ConsolePreferences {
  /** Null: as `DIGEST` says. */
  readonly digest: DigestChoice | null;
  readonly weekStart: WeekStart;
}

/** The preferences while no owner has chosen any. */
export const DEFAULT_PREFERENCES: ConsolePreferences = { digest: null, weekStart: 'monday' };
