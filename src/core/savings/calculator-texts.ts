import type { CalculatorTexts } from './calculate-savings.ts';
import type { Calculator, CalculatorCopy, CalculatorFigures } from './calculators.schema.ts';
import { formatHundredths, parseAmount } from './parse-amount.ts';

/** Texts of calculators that name no others. */
export const USUAL_COPY = {
  saving: "You'd save",
  none: 'Your tools cost no more than the plan, so switching saves you nothing.',
  empty: 'Your tools cost no more than the plan, so switching saves you nothing.',
  banner: "Congratulations, you'd come out ahead.",
  exampleMark: 'Example',
  invalid: 'Enter 0 or more. Until then this counts as 0.',
  large: 'Do you mean {number}?',
  monthly: 'per month',
  annual: 'per year',
  submit: 'Calculate',
  share: 'Copy a link to this result',
  shared: 'Link copied. It includes your numbers.',
  shareFailed: "Copying didn't work here. Copy the address of this page instead.",
  linked: 'These numbers came with a link. Yours are saved.',
  own: 'Back to my numbers',
} as const;

/** The texts that a calculator has of its own: pages carry no others, the script of the calculator has the rest. */
export type OwnCopy = Omit<CalculatorCopy, keyof typeof USUAL_COPY> & Partial<CalculatorCopy>;

/** Divides a calculator into its figures and the texts of its own. */
export function separateCopy({ copy, ...calculator }: Calculator): {
  readonly calculator: CalculatorFigures;
  readonly copy: OwnCopy;
} {
  const { title, compared, action, ...others } = copy;
  const usual: Readonly<Record<string, string>> = USUAL_COPY;
  const own = Object.fromEntries(Object.entries(others).filter(([name, text]) => usual[name] !== text));
  return { calculator: calculator, copy: { title, compared, action, ...own } };
}

/** The first value of a query parameter, or null: `URLSearchParams` has this form. */
export interface QueryReader {
  get(name: string): string | null;
}

/** Whether a link carries at least one of the calculator's inputs. */
export function hasLinkedTexts({ fields }: CalculatorFigures, query: QueryReader): boolean {
  return fields.some(({ name }) => query.get(name) !== null);
}

/**
 * Reads the inputs of a link: a number in plain digits, the default for what the link leaves out. A number below 0 and what
 * is none stay as they are, so that the field says that they count as 0.
 */
export function parseLinkedTexts(calculator: CalculatorFigures, query: QueryReader): CalculatorTexts {
  return Object.fromEntries(
    calculator.fields.map((field) => {
      const text = query.get(field.name) ?? String(field.default ?? '');
      const isWrong = parseAmount(text) === null || /^\s*[-\u2212]/.test(text);
      return [field.name, isWrong ? text.slice(0, MAX_SHOWN_LENGTH) : normalizeText(text)];
    }),
  );
}

/** Of a text that is no amount, so much is shown. */
const MAX_SHOWN_LENGTH = 40;

/** The texts that count before any input: an empty field shows its placeholder, which counts as the example. */
export function fillExample({ fields }: CalculatorFigures, texts: CalculatorTexts): CalculatorTexts {
  return Object.fromEntries(
    fields.map(({ name, placeholder }) => [name, texts[name] || String(placeholder ?? '')]),
  );
}

/** Reads stored inputs; null when they are not this calculator's. */
export function parseStoredTexts({ fields }: CalculatorFigures, stored: unknown): CalculatorTexts | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const values = new Map<string, unknown>(Object.entries(stored));
  if (!fields.every(({ name }) => typeof values.get(name) === 'string')) return null;
  return Object.fromEntries(fields.map(({ name }) => [name, normalizeText(String(values.get(name)))]));
}

/** The query that carries these inputs, without `?`, in the order of the fields. */
export function buildLinkedQuery({ fields }: CalculatorFigures, texts: CalculatorTexts): string {
  return new URLSearchParams(
    fields.map(({ name }): [string, string] => [name, normalizeText(texts[name] ?? '')]),
  ).toString();
}

/** Whether two sets of inputs give the same link. */
export function isSameTexts(
  calculator: CalculatorFigures,
  one: CalculatorTexts,
  other: CalculatorTexts,
): boolean {
  return buildLinkedQuery(calculator, one) === buildLinkedQuery(calculator, other);
}

/** Writes a text as the value of a number field: `1,000` becomes `1000`, anything but a number becomes empty. */
export function normalizeText(text: string): string {
  const amount = parseAmount(text);
  return amount === null ? '' : formatHundredths(amount);
}
