import type { CalculatorTexts } from './calculate-savings.ts';
import type { Calculator } from './calculators.schema.ts';
import { formatHundredths, parseAmount } from './parse-amount.ts';

/** The first value of a query parameter, or null: `URLSearchParams` has this form. */
export interface QueryReader {
  get(name: string): string | null;
}

/** Whether a link carries at least one of the calculator's inputs. */
export function hasLinkedTexts({ fields }: Calculator, query: QueryReader): boolean {
  return fields.some(({ name }) => query.get(name) !== null);
}

/**
 * Reads the inputs of a link as number fields can show them: a number in plain digits, nothing for what is
 * not a number, the default for what the link leaves out.
 */
export function parseLinkedTexts({ fields }: Calculator, query: QueryReader): CalculatorTexts {
  return Object.fromEntries(
    fields.map((field) => {
      const text = query.get(field.name);
      return [field.name, text === null ? String(field.default ?? '') : normalizeText(text)];
    }),
  );
}

/** The texts of a calculator's placeholders, which make its example; null when a field has none. */
export function readPlaceholderTexts({ fields }: Calculator): CalculatorTexts | null {
  if (fields.some(({ placeholder }) => placeholder === null)) return null;
  return Object.fromEntries(fields.map(({ name, placeholder }) => [name, String(placeholder)]));
}

/** Reads stored inputs; null when they are not this calculator's. */
export function parseStoredTexts({ fields }: Calculator, stored: unknown): CalculatorTexts | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const values = new Map<string, unknown>(Object.entries(stored));
  if (!fields.every(({ name }) => typeof values.get(name) === 'string')) return null;
  return Object.fromEntries(fields.map(({ name }) => [name, normalizeText(String(values.get(name)))]));
}

/** The query that carries these inputs, without `?`, in the order of the fields. */
export function buildLinkedQuery({ fields }: Calculator, texts: CalculatorTexts): string {
  return new URLSearchParams(
    fields.map(({ name }) => [name, normalizeText(texts[name] ?? '')] as [string, string]),
  ).toString();
}

/** Whether two sets of inputs give the same link. */
export function isSameTexts(calculator: Calculator, one: CalculatorTexts, other: CalculatorTexts): boolean {
  return buildLinkedQuery(calculator, one) === buildLinkedQuery(calculator, other);
}

/** Writes a text as the value of a number field: `1,000` becomes `1000`, anything but a number becomes empty. */
export function normalizeText(text: string): string {
  const amount = parseAmount(text);
  return amount === null ? '' : formatHundredths(amount);
}
