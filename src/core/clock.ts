/** Time, handed in, so that rules and caches can be tested at any hour. */
export interface Clock {
  /** Wall clock: ms since 1970. May jump. */
  now(): number;
  /** Ms since some start. Never goes back; for how long something has lasted. */
  monotonic(): number;
}
