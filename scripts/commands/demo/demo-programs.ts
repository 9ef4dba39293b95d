import type { CommissionKind, FactSource } from '../../../src/core/commissions/commission-fact.ts';

/** How the affiliate program of a partner behaves in the demo. */
export interface DemoProgram {
  readonly currency: string;
  readonly source: FactSource;
  /** Share of average clicks that earn. */
  readonly rate: number;
  /** Commissions in minor units with their weights. */
  readonly amounts: readonly (readonly [amount: number, weight: number])[];
  readonly kind: CommissionKind;
  /** Days from the click to the commission: half come earlier. */
  readonly delayDays: number;
  /** Share of customers who stay from one month to the next; 0 for a program that pays once. */
  readonly monthlyRetention: number;
  /** Days from the commission until it is approved. */
  readonly approvalDays: number;
  /** Share of the commissions that are taken back. */
  readonly reversals: number;
}

const DEFAULT_PROGRAM: DemoProgram = {
  currency: 'USD',
  source: 'postback',
  rate: 0.02,
  amounts: [
    [2_500, 3],
    [6_000, 1],
  ],
  kind: 'sale',
  delayDays: 6,
  monthlyRetention: 0,
  approvalDays: 30,
  reversals: 0.08,
};

const PROGRAMS: ReadonlyMap<string, DemoProgram> = new Map([
  [
    'highlevel',
    {
      ...DEFAULT_PROGRAM,
      source: 'webhook',
      rate: 0.02,
      amounts: [
        [3_880, 6],
        [11_880, 3],
        [19_880, 1],
      ],
      // The trial comes first.
      delayDays: 7,
      approvalDays: 16,
      monthlyRetention: 0.86,
      reversals: 0.06,
    },
  ],
  [
    'hubspot',
    {
      ...DEFAULT_PROGRAM,
      source: 'csv',
      rate: 0.035,
      amounts: [
        [1_500, 5],
        [9_000, 3],
        [27_000, 1],
      ],
      delayDays: 9,
      approvalDays: 45,
      reversals: 0.16,
    },
  ],
  [
    'activecampaign',
    {
      ...DEFAULT_PROGRAM,
      currency: 'EUR',
      source: 'postback',
      rate: 0.03,
      amounts: [
        [870, 4],
        [2_370, 3],
        [4_470, 1],
      ],
      delayDays: 11,
      monthlyRetention: 0.86,
    },
  ],
  [
    'kit',
    {
      ...DEFAULT_PROGRAM,
      source: 'api',
      rate: 0.045,
      amounts: [
        [990, 4],
        [1_980, 3],
        [3_570, 1],
      ],
      delayDays: 4,
      monthlyRetention: 0.88,
      approvalDays: 15,
      reversals: 0.04,
    },
  ],
]);

/** The program of a partner of the content folder; a default one for a partner that the demo does not know. */
export function getDemoProgram(partner: string): DemoProgram {
  return PROGRAMS.get(partner) ?? DEFAULT_PROGRAM;
}
