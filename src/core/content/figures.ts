import { formatDollars } from '../savings/format-dollars.ts';
import type { Plans } from '../savings/plans.ts';

/** Figures by the name that copy gives them, for example `price:unlimited` and `claim:hub-agencies`. */
export type Figures = ReadonlyMap<string, string>;

/** Collects every figure that copy may name: prices, terms and claims. */
export function buildFigures(
  plans: Plans,
  claims: ReadonlyMap<string, { readonly figure: string }>,
): Figures {
  const figures = new Map<string, string>([
    ['trial:days', String(plans.trial.days)],
    ['guarantee:days', String(plans.guarantee.days)],
  ]);
  for (const plan of plans.plans) {
    figures.set(`plan:${plan.key}`, plan.name);
    figures.set(`price:${plan.key}`, formatDollars(plan.monthlyCents));
    figures.set(`subaccounts:${plan.key}`, String(plan.subAccounts));
  }
  for (const [key, { figure }] of claims) figures.set(`claim:${key}`, figure);
  return figures;
}

const NAMED = /\{([a-z]+:[a-z0-9-]+)\}/g;

/**
 * Puts the figures into every text of a content value: `{price:unlimited}` becomes `$297`.
 * `report` hears of each name that there is no figure for; it then stays as it stands.
 */
export function fillFigures<T>(content: T, figures: Figures, report: (name: string) => void): T {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(NAMED, replaceName);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part)]));
  };
  const replaceName = (whole: string, name: string): string => {
    const figure = figures.get(name);
    if (figure === undefined) report(name);
    return figure ?? whole;
  };
  return fill(content) as T;
}
