/** Plans, prices and calculators as `content/plans.yaml` states them. All money is in whole US cents. */
export interface Plans {
  /** Months in a year, for annual figures. */
  readonly months: number;
  readonly trial: {
    readonly days: number;
    readonly card: string;
    readonly cancel: string;
    readonly fees: string;
  };
  readonly guarantee: { readonly days: number };
  readonly plans: readonly Plan[];
  /** What separate tools cost a month, line by line. */
  readonly stack: readonly StackLine[];
  readonly calculators: { readonly trial: Calculator; readonly roi: Calculator };
}

/** One plan of the promoted platform. */
export interface Plan {
  readonly key: string;
  readonly name: string;
  readonly monthlyCents: number;
  readonly subAccounts: number | 'unlimited';
  readonly audience: string;
}

/** One tool of the stack that the plans replace. */
export interface StackLine {
  readonly name: string;
  readonly monthlyCents: number;
}

export const CALCULATORS = ['trial', 'roi'] as const;

export type CalculatorName = (typeof CALCULATORS)[number];

/** One calculator, ready for the browser: its fields, its words and the plan it compares against. */
export interface Calculator {
  readonly name: CalculatorName;
  readonly plan: Plan;
  readonly months: number;
  readonly fields: readonly CalculatorField[];
  readonly copy: CalculatorCopy;
}

/** One number field. `name` is its parameter in links; values are in the field's own unit, as typed. */
export interface CalculatorField {
  readonly name: string;
  readonly label: string;
  /** `count`: how many; `amount`: dollars a month. */
  readonly kind: 'count' | 'amount';
  readonly unit: string;
  /** What stands there at first; null: nothing, which counts as 0. */
  readonly default: number | null;
  readonly placeholder: number | null;
  /** Attributes of the input; what is typed beyond them is still worked out. */
  readonly min: number;
  readonly max: number | null;
}

export interface CalculatorCopy {
  readonly title: string;
  /** Stands above the saving. */
  readonly saving: string;
  /** Instead of the saving when there is none. */
  readonly none: string;
  /** Instead of the saving when nothing has been put in. */
  readonly empty: string;
  readonly banner: string;
  /** Says what the figures are compared with. */
  readonly compared: string;
  /** Stand beside the two savings. */
  readonly monthly: string;
  readonly annual: string;
  /** The button that works the sum out without scripts. */
  readonly submit: string;
  readonly share: string;
  readonly shared: string;
  readonly shareFailed: string;
  /** Says that the figures are somebody else's; `own` leads back. */
  readonly linked: string;
  readonly own: string;
  readonly action: string;
}
