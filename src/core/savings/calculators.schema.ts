import { z } from 'zod';
import { formatLongDate } from '../articles/article-copy.ts';
import { SEE_PRICE } from '../products/price.ts';
import { findOldestCheck, type Product } from '../products/product.ts';
import { type Amount, addUp, buildTotalFigures, findAmount } from '../products/totals.ts';
import { USUAL_COPY } from './calculator-texts.ts';
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

/** An amount of money in a product's file. */
const figure = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+){1,2}$/, 'must be product.offer or product.fact');

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
    /** Counts as the example until the first input of any field; then an empty field counts as 0. */
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
  saving: text.default(USUAL_COPY.saving),
  /** Instead of the saving when the tools cost no more than the plan. */
  none: text.default(USUAL_COPY.none),
  /** Instead of the saving before any input. */
  empty: text.default(USUAL_COPY.empty),
  /** Marks the result of the defaults, until the first input. */
  exampleMark: text.default(USUAL_COPY.exampleMark),
  /** Above the saving with usage; `{volumes}` and `{usage}` are those of `usage`. */
  net: text.optional(),
  /** Words of the link that fills the fields with their placeholders; none without it. */
  example: text.optional(),
  banner: text.default(USUAL_COPY.banner),
  /** Beside a field with a negative or invalid number. */
  invalid: text.default(USUAL_COPY.invalid),
  /** Beside a field with more than its `max`, which counts all the same; `{number}` is what was typed, with its unit. */
  large: text.default(USUAL_COPY.large),
  /** Says what the figures are compared with. */
  compared: text,
  /** Beside the two savings. */
  monthly: text.default(USUAL_COPY.monthly),
  annual: text.default(USUAL_COPY.annual),
  /** The button that computes the result without scripts. */
  submit: text.default(USUAL_COPY.submit),
  share: text.default(USUAL_COPY.share),
  shared: text.default(USUAL_COPY.shared),
  shareFailed: text.default(USUAL_COPY.shareFailed),
  /** Says that the figures came with a link; `own` leads back to the visitor's. */
  linked: text.default(USUAL_COPY.linked),
  own: text.default(USUAL_COPY.own),
  action: text,
});

const calculatorSchema = z
  .strictObject({
    /** Key of the plan that the calculator compares against. */
    plan: key,
    /** Key of the total that the plan charges for usage, for the saving with it. */
    usage: key.optional(),
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

const totalLine = z
  .strictObject({
    /** `product.offer` or `product.fact`, an amount of money. */
    figure: figure.optional(),
    /** Of an example: an amount that no product has, such as what readers pay now. */
    amount: z.number().optional(),
    /** Of an example: working hours, by their key in `work.hours`. */
    hours: key.optional(),
    /** How often it is paid; below 0: subtracted. */
    times: z.number().default(1),
    /** What is counted, where copy names the volumes of the sum: `3,000 texts`. */
    unit: text.optional(),
  })
  .refine(
    (line) => [line.figure, line.amount, line.hours].filter((one) => one !== undefined).length === 1,
    'needs one of `figure`, `amount` and `hours`',
  );

/** `content/calculators.yaml`: what readers pay now, sums of dated prices, and the calculators. */
export const calculatorsSchema = z
  .strictObject({
    /** The product whose monthly offers calculators compare with. */
    product: key.meta({ names: 'product' }).optional(),
    /** Months in a year, for annual figures. */
    months: z.int().positive().default(12),
    /** What separate tools cost a month, line by line. `seats`: the line is for so many people and grows with them. */
    stack: z
      .array(z.strictObject({ name: text, monthly: money, seats: z.int().positive().optional() }))
      .default([]),
    /** Numbers of people for which copy names the bill of the stack. */
    stackSizes: z.array(z.int().positive()).default([]),
    /** Key of the offer that the stack is compared with. */
    stackPlan: key.optional(),
    /** Key of the total that this offer charges for usage. */
    stackUsage: key.optional(),
    /** Sums of dated prices and charges, which copy names as `{total:key}`. */
    totals: z
      .record(
        key,
        z.strictObject({
          lines: z.array(totalLine).min(1),
          /** Key of the total that saves every month what this one costs once: `{total:key.months}` is the payback. */
          earnedBackBy: key.optional(),
        }),
      )
      .default({}),
    /** What an hour of work costs in examples, in dollars, and how many hours each job takes: `{work:rate}`, `{work:key}`. */
    work: z
      .strictObject({ rate: z.number().positive(), hours: z.record(key, z.number().positive()) })
      .optional(),
    calculators: z.record(key, calculatorSchema).default({}),
  })
  .superRefine(({ product, stack, stackPlan, calculators }, issues) => {
    const report = (field: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [field], message });
    if (stack.length > 0 !== (stackPlan !== undefined))
      report('stackPlan', 'belongs to `stack`: the offer that it is compared with');
    if (product === undefined && (stackPlan !== undefined || Object.keys(calculators).length > 0))
      report('product', 'is missing: the product that the stack and the calculators compare with');
  });

/** The file as it is written; `buildSavings` finds the plans that it names. */
export type CalculatorsFile = z.infer<typeof calculatorsSchema>;

/** The file of a site without calculators. */
export const NO_CALCULATORS: CalculatorsFile = calculatorsSchema.parse({});

/** Plans, the stack and the calculators. All money is in whole US cents. */
export interface SavingsSettings {
  /** The product whose plans these are; undefined for a site without calculators. */
  readonly product?: Product | undefined;
  /** Its monthly offers. */
  readonly plans: readonly Plan[];
  readonly months: number;
  readonly stack: readonly {
    readonly name: string;
    readonly monthlyCents: number;
    readonly seats?: number | undefined;
  }[];
  readonly stackSizes: readonly number[];
  readonly stackPlan?: Plan | undefined;
  readonly stackUsage?: Usage | undefined;
  readonly totals: CalculatorsFile['totals'];
  readonly work?: CalculatorsFile['work'] | undefined;
  readonly calculators: Readonly<Record<string, Calculator>>;
}

/**
 * Finds the plans that calculators name. `report` gets each one that is missing, with its place. One that computes with an
 * amount past its age goes on with it and says so. `now`: ms since 1970; undefined: nothing ages.
 */
export function buildSavings(
  file: CalculatorsFile,
  products: ReadonlyMap<string, Product>,
  report: (path: (string | number)[], reason: string) => void,
  now?: number,
): SavingsSettings {
  const product = file.product === undefined ? undefined : products.get(file.product);
  if (file.product !== undefined && product === undefined)
    report(['product'], `no product is called "${file.product}"`);
  const plans = listPlans(product);
  const findPlan = (wanted: string, path: string[]): Plan | undefined => {
    const plan = plans.find((candidate) => candidate.key === wanted);
    if (plan === undefined && product !== undefined) {
      const known = plans.map((one) => one.key).join(', ');
      report(path, `there is no plan "${wanted}"; the monthly offers of ${product.key} are ${known}`);
    }
    return plan;
  };
  const calculators = Object.entries(file.calculators).flatMap(([name, written]) => {
    const { plan: wanted, usage: used, ...calculator } = written;
    const plan = findPlan(wanted, ['calculators', name, 'plan']);
    if (plan === undefined) return [];
    const usage = findUsage(file, used, products, (reason) => report(['calculators', name, 'usage'], reason));
    const aged = [`${product?.key}.${wanted}`, ...(usage?.figures ?? [])].flatMap((figure) => {
      const amount = findAmount(figure, products, now);
      return amount?.isAged ? amount : [];
    });
    const copy = fillPlan(calculator.copy, plan, usage, aged);
    const figure = { plan, months: file.months, usageCents: usage?.cents ?? 0 };
    return [[name, { name, ...calculator, ...figure, copy }] as const];
  });
  return {
    product,
    plans,
    months: file.months,
    stack: file.stack.map(({ monthly, ...line }) => ({ ...line, monthlyCents: monthly })),
    stackSizes: file.stackSizes,
    stackPlan: file.stackPlan === undefined ? undefined : findPlan(file.stackPlan, ['stackPlan']),
    stackUsage: findUsage(file, file.stackUsage, products, (reason) => report(['stackUsage'], reason)),
    totals: fillHours(file, report),
    work: file.work,
    calculators: Object.fromEntries<Calculator>(calculators),
  };
}

/** The monthly offers with a price. */
function listPlans(product: Product | undefined): Plan[] {
  return (product?.offers ?? [])
    .filter(
      ({ billed, currency, source }) => billed === 'monthly' && currency === 'USD' && source !== undefined,
    )
    .map(({ key, name, amount }) => ({ key, name, monthlyCents: amount }));
}

/** Adds up the usage that a key of the file names. */
function findUsage(
  { totals }: CalculatorsFile,
  wanted: string | undefined,
  products: ReadonlyMap<string, Product>,
  report: (reason: string) => void,
) {
  if (wanted === undefined) return undefined;
  const { lines = [] } = totals[wanted] ?? {};
  if (lines.length === 0) report(`there is no total "${wanted}"`);
  return {
    total: wanted,
    cents: Math.round((addUp(lines, products)?.micros ?? 0) / 10_000),
    figures: lines.flatMap(({ figure }) => figure ?? []),
    volumes: new Map(buildTotalFigures(lines, products)).get('.volumes') ?? '',
  };
}

/** Puts the cost of its hours into each line of a total that has some. */
function fillHours(
  { totals, work }: CalculatorsFile,
  report: (path: (string | number)[], reason: string) => void,
): CalculatorsFile['totals'] {
  return Object.fromEntries(
    Object.entries(totals).map(([name, total]) => {
      if (total.earnedBackBy !== undefined && totals[total.earnedBackBy] === undefined)
        report(['totals', name, 'earnedBackBy'], `there is no total "${total.earnedBackBy}"`);
      const lines = total.lines.map(({ hours, ...line }, index) => {
        if (hours === undefined) return line;
        const count = work?.hours[hours];
        if (work !== undefined && count !== undefined) return { ...line, amount: work.rate * count };
        report(['totals', name, 'lines', index, 'hours'], `work.hours has no "${hours}"`);
        return { ...line, amount: 0 };
      });
      return [name, { ...total, lines }];
    }),
  );
}

/** A monthly offer that calculators compare with. */
export interface Plan {
  readonly key: string;
  readonly name: string;
  readonly monthlyCents: number;
}

/** What a plan charges for usage a month, by the total that adds it up. */
type Usage = NonNullable<ReturnType<typeof findUsage>>;

export type CalculatorField = z.infer<typeof fieldSchema>;

export type CalculatorCopy = z.infer<typeof copySchema>;

/** What a calculator computes with. */
export type CalculatorFigures = Omit<Calculator, 'copy'>;

/** One calculator, ready for the browser, with the plan it compares against. */
export interface Calculator extends Omit<z.infer<typeof calculatorSchema>, 'plan' | 'usage'> {
  readonly name: string;
  readonly plan: Plan;
  readonly usageCents: number;
  readonly months: number;
}

function fillPlan(
  written: CalculatorCopy,
  { name, monthlyCents }: Plan,
  usage: Usage | undefined,
  aged: readonly Amount[],
): CalculatorCopy {
  const price = aged.some(({ isPrice }) => isPrice) ? SEE_PRICE : formatDollars(monthlyCents);
  const figures: Readonly<Record<string, string>> = {
    plan: name,
    price,
    volumes: usage?.volumes ?? '',
    usage: formatDollars(usage?.cents ?? 0),
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, key: string) => figures[key] ?? whole);
  const compared = fill(written.compared);
  const copy = written.net === undefined ? written : { ...written, net: fill(written.net) };
  if (aged.length === 0) return { ...copy, compared };
  const day = formatLongDate(findOldestCheck(aged));
  return { ...copy, compared: `${compared} The amounts date from ${day} or later.` };
}
