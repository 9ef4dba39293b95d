/** Plans, prices and calculators as `content/plans.yaml` states them. All money is in whole US cents. */
export interface Plans {
  /** Key of the partner whose plans these are. */
  readonly partner: string;
  /** Day of the last check of the prices, `YYYY-MM-DD`. */
  readonly checked?: string | undefined;
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
  /** The plan that the stack is compared with. */
  readonly stackPlan: Plan;
  readonly calculators: Readonly<Record<string, Calculator>>;
}

/** One plan of the partner. */
export interface Plan {
  readonly key: string;
  readonly name: string;
  readonly monthlyCents: number;
  readonly subAccounts?: number | 'unlimited' | undefined;
  readonly audience: string;
}

/** One tool of the stack that the plans replace. */
export interface StackLine {
  readonly name: string;
  readonly monthlyCents: number;
}

/** One calculator, ready for the browser: its fields, copy and the plan it compares against. */
export interface Calculator {
  readonly name: string;
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
  /** The initial value; null: empty, which counts as 0. */
  readonly default: number | null;
  readonly placeholder: number | null;
  /** Attributes of the input; values beyond them are still computed. */
  readonly min: number;
  readonly max: number | null;
}

export interface CalculatorCopy {
  readonly title: string;
  /** Above the saving. */
  readonly saving: string;
  /** Instead of the saving when the tools cost no more than the plan. */
  readonly none: string;
  /** Instead of the saving before any input. */
  readonly empty: string;
  /** Words of the link that fills the fields with their placeholders. */
  readonly example?: string | undefined;
  readonly banner: string;
  /** Beside a field with a negative or invalid number. */
  readonly invalid: string;
  /** Says what the figures are compared with. */
  readonly compared: string;
  /** Beside the two savings. */
  readonly monthly: string;
  readonly annual: string;
  /** The button that computes the result without scripts. */
  readonly submit: string;
  readonly share: string;
  readonly shared: string;
  readonly shareFailed: string;
  /** Says that the figures came with a link; `own` leads back to the visitor's. */
  readonly linked: string;
  readonly own: string;
  readonly action: string;
}
