/** A commission as a network's own list has it: without a click, so that it only checks what was reported. */
export interface ListedCommission {
  /** Key of the partner's file. */
  readonly partner: string;
  /** The network's id. */
  readonly id: string;
  /** Minor units of `currency`; 0 once it is denied. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  /** When it arose; ms since 1970. */
  readonly time: number;
}
