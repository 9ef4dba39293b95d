/** The first day of a week. */
export type WeekStart = 'monday' | 'sunday';

/** How often a digest is wanted. */
export type DigestChoice = 'off' | 'daily' | 'weekly';

/** What owners choose in the settings, for the whole console. */
export interface ConsolePreferences {
  /** Null: as `DIGEST` says. */
  readonly digest: DigestChoice | null;
  readonly weekStart: WeekStart;
}

/** The preferences while no owner has chosen any. */
export const DEFAULT_PREFERENCES: ConsolePreferences = { digest: null, weekStart: 'monday' };

/** The choices of a digest. */
export const DIGEST_CHOICES = ['off', 'daily', 'weekly'] as const;

/** The choices of the first day of a week. */
export const WEEK_STARTS = ['monday', 'sunday'] as const;
