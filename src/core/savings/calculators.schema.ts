import { z } from 'zod';
import { formatDollars } from './parse-amount.ts';

const key = z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens');
const text = z.string().min(1);

/** Dollars with at most two decimals, read as whole cents. */
const money = z
  .number()
  .positive()
  .max(1_000_000)
  .refine((dollars) => Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6, 'must be whole cents')
  .transform((dollars) => Math.round(dollars * 100));

const planSchema = z.strictObject({
  name: text,
  /** Dollars a month. */
  monthly: money,
  /** How many accounts of customers the plan includes; left out where plans have none. */
  subAccounts: z.union([z.int().positive(), z.literal('unlimited')]).optional(),
  audience: text,
});

const fieldSchema = z
  .strictObject({
    /** Parameter of the calculator's links. */
    name: z.string().regex(/^[a-zA-Z]+$/, 'must be letters'),
    label: text,
    /** `count`: how many; `amount`: dollars a month. */
    kind: z.enum(['count', 'amount']),
    unit: text,
    /** The initial value in the field's own unit, as typed; null: empty, which counts as 0. */
    default: z.number().nonnegative().nullable().default(null),
    placeholder: z.number().nonnegative().nullable().default(null),
    /** Attributes of the input; values beyond them are still computed. */
    min: z.number().nonnegative().default(0),
    max: z.number().positive().nullable().default(null),
  })
  .refine((field) => field.max === null || field.max > field.min, 'max must be above min')
  .refine(
    (field) =>
      field.default === null || (field.default >= field.min && field.default <= (field.max ?? Infinity)),
    'default must lie between min and max',
  );

const copySchema = z.strictObject({
  title: text,
  /** Above the saving. */
  saving: text,
  /** Instead of the saving when the tools cost no more than the plan. */
  none: text,
  /** Instead of the saving before any input. */
  empty: text,
  /** Marks the result of the defaults, until the first input. */
  exampleMark: text.default('Example'),
  /** Words of the link that fills the fields with their placeholders; none without it. */
  example: text.optional(),
  banner: text,
  /** Beside a field with a negative or invalid number. */
  invalid: text,
  /** Says what the figures are compared with. */
  compared: text,
  /** Beside the two savings. */
  monthly: text,
  annual: text,
  /** The button that computes the result without scripts. */
  submit: text,
  share: text,
  shared: text,
  shareFailed: text,
  /** Says that the figures came with a link; `own` leads back to the visitor's. */
  linked: text,
  own: text,
  action: text,
});

const calculatorSchema = z
  .strictObject({
    /** Key of the plan that the calculator compares against. */
    plan: key,
    fields: z.array(fieldSchema).min(1),
    copy: copySchema,
  })
  .refine(
    ({ fields }) => new Set(fields.map(({ name }) => name)).size === fields.length,
    'two fields have the same name',
  )
  .refine(({ fields }) => {
    const counts = fields.filter(({ kind }) => kind === 'count').length;
    return counts === 0 || (counts === 1 && fields.length === 2);
  }, 'a count needs exactly one amount beside it, which it multiplies');

/** `content/plans.yaml`: plans, prices, the stack they replace, and the calculators. */
export const plansSchema = z
  .strictObject({
    /** Key of content/partners/*.yaml: whose plans these are. */
    partner: key,
    /** Day on which the prices were last compared with the partner's own page; shown with the prices. */
    checked: z.iso.date().optional(),
    /** Months in a year, for annual figures. */
    months: z.int().positive(),
    trial: z.strictObject({ days: z.int().positive(), card: text, cancel: text, fees: text }),
    guarantee: z.strictObject({ days: z.int().positive() }),
    plans: z.record(key, planSchema),
    /** What separate tools cost a month, line by line. */
    stack: z.array(z.strictObject({ name: text, monthly: money })).min(1),
    /** Key of the plan that the stack is compared with. */
    stackPlan: key,
    calculators: z.record(key, calculatorSchema),
  })
  .transform((file, context) => {
    const plans = Object.entries(file.plans).map(([name, { monthly, ...plan }]): Plan => {
      return { key: name, monthlyCents: monthly, ...plan };
    });
    const findPlan = (wanted: string, path: string[]): Plan => {
      const plan = plans.find((candidate) => candidate.key === wanted);
      if (plan !== undefined) return plan;
      const message = `there is no plan "${wanted}"; the plans are ${plans.map((one) => one.key).join(', ')}`;
      context.addIssue({ code: 'custom', path, message });
      return z.NEVER;
    };
    const calculators = Object.entries(file.calculators).map(([name, { plan: wanted, ...calculator }]) => {
      const plan = findPlan(wanted, ['calculators', name, 'plan']);
      const copy = plan && fillPlan(calculator.copy, plan);
      return [name, { name, plan, months: file.months, ...calculator, copy }] as const;
    });
    return {
      ...file,
      plans,
      stack: file.stack.map(({ name, monthly }) => ({ name, monthlyCents: monthly })),
      stackPlan: findPlan(file.stackPlan, ['stackPlan']),
      calculators: Object.fromEntries<Calculator>(calculators),
    };
  });

/** Plans, prices and calculators. All money is in whole US cents. */
export type Plans = z.infer<typeof plansSchema>;

export interface Plan extends Omit<z.infer<typeof planSchema>, 'monthly'> {
  readonly key: string;
  readonly monthlyCents: number;
}

export type CalculatorField = z.infer<typeof fieldSchema>;

export type CalculatorCopy = z.infer<typeof copySchema>;

/** One calculator, ready for the browser, with the plan it compares against. */
export interface Calculator extends Omit<z.infer<typeof calculatorSchema>, 'plan'> {
  readonly name: string;
  readonly plan: Plan;
  readonly months: number;
}

function fillPlan(copy: CalculatorCopy, { name, monthlyCents }: Plan): CalculatorCopy {
  const compared = copy.compared
    .replace('{plan}', () => name)
    .replace('{price}', () => formatDollars(monthlyCents));
  return { ...copy, compared };
}
