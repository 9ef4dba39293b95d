/** How long encoders may search: `fast` takes a quarter of the time for files up to twice as large. */
export type Effort = 'fast' | 'small';

/** From so many new pictures on, the build's time counts for more than the last kilobytes. */
const MANY = 150;

/** The effort for a build that has `missing` pictures to draw. */
export const chooseEffort = (missing: number): Effort => (missing > MANY ? 'fast' : 'small');
