import { buildStorageTable } from '../consent/stored-items.ts';
import { formatDollars } from '../savings/parse-amount.ts';
import type { Plans } from '../savings/plans.schema.ts';
import { buildClaimMark, CLAIM_MARK, type ClaimParts, describeEvidence } from './claims.ts';
import type { SiteDetails } from './site.schema.ts';

/** Figures by the name that copy gives them, for example `price:unlimited` and `claim:hub-agencies`. */
export type Figures = ReadonlyMap<string, string>;

const PARTNER_LIST = new Intl.ListFormat('en-US', { type: 'disjunction' });

/**
 * Collects what copy may name: prices, terms, the stack, claims, browser storage, the names of the partners. See
 * docs/recipes/claim.md.
 */
export function buildFigures(
  plans: Plans,
  claims: ReadonlyMap<string, ClaimParts>,
  operator: SiteDetails['operator'] = { name: '', address: '', email: '' },
  partnerNames: readonly string[] = [],
): Figures {
  const figures = new Map<string, string>([
    ['trial:days', String(plans.trial.days)],
    ['trial:card', plans.trial.card],
    ['trial:cancel', plans.trial.cancel],
    ['trial:fees', plans.trial.fees],
    ['guarantee:days', String(plans.guarantee.days)],
    ['storage:table', buildStorageTable()],
    ['operator:block', describeOperator(operator)],
    ['partners:count', String(partnerNames.length)],
    ['partners:names', PARTNER_LIST.format(partnerNames)],
    ...buildStackFigures(plans),
    ...buildClaimFigures(claims),
  ]);
  for (const plan of plans.plans) {
    figures.set(`plan:${plan.key}`, plan.name);
    figures.set(`audience:${plan.key}`, plan.audience);
    figures.set(`price:${plan.key}`, formatDollars(plan.monthlyCents));
    figures.set(`price:${plan.key}.year`, formatDollars(plan.monthlyCents * plans.months));
    if (plan.subAccounts !== undefined) figures.set(`subaccounts:${plan.key}`, String(plan.subAccounts));
  }
  return figures;
}

/** Collects what copy may name of claims; `plans.yaml` may name these alone. */
export function buildClaimFigures(claims: ReadonlyMap<string, ClaimParts>): Figures {
  return new Map(
    [...claims].flatMap(([key, claim]): [string, string][] => [
      [`claim:${key}`, claim.figure],
      [`claim:${key}.wording`, claim.wording],
      [`claim:${key}.status`, describeEvidence(claim)],
      [`claim:${key}.mark`, buildClaimMark(key, claim)],
      [`claim:${key}.marked`, `${claim.figure}${buildClaimMark(key, claim)}`],
    ]),
  );
}

/** Who runs the site, as Markdown for the legal pages. */
function describeOperator({ name, address, email }: SiteDetails['operator']): string {
  const parts = [name, ...address.split('\n'), email]
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const contact = 'You can reach us through the [contact form](/contact).';
  return parts.length === 0 ? contact : `${parts.join(', ')}. ${contact}`;
}

/**
 * The bill of separate tools and what one plan leaves of it: `stack:crm-seats` a line, `stack:total` the sum,
 * `stack:saving`, `stack:saving-year` and `stack:saving-percent` against `stackPlan`.
 */
function buildStackFigures({ stack, months, stackPlan }: Plans): [string, string][] {
  const total = stack.reduce((sum, line) => sum + line.monthlyCents, 0);
  const saving = total - stackPlan.monthlyCents;
  return [
    ...stack.map((line): [string, string] => [
      `stack:${line.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
      formatDollars(line.monthlyCents),
    ]),
    ['stack:count', String(stack.length)],
    ['stack:total', formatDollars(total)],
    ['stack:total-year', formatDollars(total * months)],
    ['stack:saving', formatDollars(saving)],
    ['stack:saving-year', formatDollars(saving * months)],
    ['stack:saving-percent', `${Math.round((saving / total) * 100)}%`],
  ];
}

const NAMED = /\{([a-z]+:[a-z0-9.-]+)\}/g;

/** Every figure that a text names, in order. */
export function listNames(text: string): string[] {
  return [...text.matchAll(NAMED)].flatMap(([, name]) => name ?? []);
}

/** Keys and list positions (from 0) that lead to a text. */
export type TextPath = readonly (string | number)[];

/**
 * Puts the figures into every text of a content value: `{price:unlimited}` becomes `$297`.
 * `report` gets each name without a figure, and its place; the name then stays in the text.
 */
export function fillFigures<T>(
  content: T,
  figures: Figures,
  report: (name: string, path: TextPath) => void,
): T {
  const fill = (value: unknown, path: TextPath): unknown => {
    if (typeof value === 'string') return value.replace(NAMED, (whole, name) => read(whole, name, path));
    if (Array.isArray(value)) return value.map((part, index) => fill(part, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part, [...path, key])]));
  };
  const read = (whole: string, name: string, path: TextPath): string => {
    const figure = figures.get(name);
    if (figure === undefined) report(name, path);
    return figure ?? whole;
  };
  return fill(content, []) as T;
}

/** Lists every text in a content value, at any depth and in order, with the keys and positions that lead to it. */
export function listTexts(
  value: unknown,
  path: TextPath = [],
): readonly { readonly text: string; readonly path: TextPath }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    listTexts(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Lists the keys of the claims that are marked in the texts of a content value, in order, each once. */
export function listMarkedClaims(content: unknown): readonly string[] {
  const keys = listTexts(content).flatMap(({ text }) =>
    [...text.matchAll(CLAIM_MARK)].flatMap(([, key]) => key ?? []),
  );
  return [...new Set(keys)];
}
