import { type Partner, RULE_SUBJECTS } from '../../outbound/partner.ts';
import { describePrice, formatPrice } from '../../products/price.ts';
import { type Fact, formatFact, type Offer, type Product, type Source } from '../../products/product.ts';
import type { Content } from '../content.ts';
import type { Claim } from './claim.schema.ts';
import { STACK_USAGE } from './placeholders.ts';

/** A price, a figure, a claim or a rule that the content states, with its source and the day of the copy that was read. */
export interface SourcedStatement {
  readonly kind: 'price' | 'figure' | 'claim' | 'rule' | 'source' | 'link';
  /** What names it in copy, for example `product:kit.creator`; empty when copy cannot name it. */
  readonly name: string;
  /** The name of the product or the partner; empty: none. */
  readonly subject: string;
  readonly text: string;
  /** Its amount of money as shown, such as `$39`; empty: it has none. */
  readonly amount: string;
  /** An address or a sentence; empty: none. */
  readonly source: string;
  /** `YYYY-MM-DD` or `YYYY-MM`; empty: never. */
  readonly checked: string;
  /** Below the content folder. */
  readonly file: string;
}

/** What the statements of a content folder are collected from. */
type StatementContent = Pick<Content, 'claims' | 'partners' | 'products'>;

const NO_FILES: ReadonlyMap<string, string> = new Map();

/** Lists the prices, figures, claims and rules of the content. `files`: the file of each claim, where it is known. */
export function listStatements(
  { claims, partners, products }: StatementContent,
  files = NO_FILES,
): readonly SourcedStatement[] {
  return [
    ...[...products.values()].flatMap(listProductStatements),
    ...[...claims.values()].map((claim) => buildClaimStatement(claim, files.get(claim.key) ?? 'claims/')),
    ...[...partners.values()].flatMap(listRules),
  ];
}

function listProductStatements(product: Product): SourcedStatement[] {
  const { key, name, offers, facts } = product;
  const file = `products/${key}.yaml`;
  const buildFigure = (fact: Fact, path: string, prefix = ''): SourcedStatement => ({
    kind: 'figure',
    name: `product:${path}.${fact.key}`,
    subject: name,
    text: `${prefix}${fact.label}: ${formatFact(fact)}`,
    amount: fact.micros === undefined ? '' : formatFact(fact),
    source: fact.source?.href ?? '',
    checked: fact.source?.checked ?? '',
    file,
  });
  const buildPrice = (offer: Offer, { href, checked }: Source): SourcedStatement => ({
    kind: 'price',
    name: `product:${key}.${offer.key}`,
    subject: name,
    text: `${offer.name}: ${describePrice(product, offer)}${offer.terms === undefined ? '' : `, ${offer.terms}`}`,
    amount: formatPrice(offer.amount, offer.currency),
    source: href,
    checked,
    file,
  });
  return [
    ...offers.flatMap((offer) => [
      ...(offer.source === undefined ? [] : [buildPrice(offer, offer.source)]),
      ...offer.facts.map((fact) => buildFigure(fact, `${key}.${offer.key}`, `${offer.name}, `)),
    ]),
    ...facts.map((fact) => buildFigure(fact, key)),
  ];
}

function buildClaimStatement(claim: Claim, file: string): SourcedStatement {
  const { key, figure, wording, evidence, checked = '', fact } = claim;
  const text = `${figure} ${wording}`;
  const base = { kind: 'claim', name: `claim:${key}`, subject: '', amount: '', file } as const;
  return fact === undefined
    ? { ...base, text, source: evidence, checked }
    : { ...base, text: `${text}; against it: ${fact.text}`, ...pickSource(fact) };
}

const pickSource = ({ source, checked }: { readonly source: string; readonly checked: string }) => ({
  source,
  checked,
});

function listRules({ key, name, rules }: Partner): SourcedStatement[] {
  const base = { kind: 'rule', name: '', subject: name, amount: '', file: `partners/${key}.yaml` } as const;
  return [
    ...RULE_SUBJECTS.flatMap((subject) => {
      const rule = rules[subject.key];
      if (rule === null) return [];
      return [{ ...base, text: `${subject.title}: ${rule.allowed}. ${rule.text}`, ...pickSource(rule) }];
    }),
    ...rules.conditions.map((one) => ({ ...base, text: one.text, ...pickSource(one) })),
  ];
}

/**
 * Finds the statements that a name in copy uses, as names of statements: `{total:bill}` uses the prices that it adds up,
 * `{price:unlimited}` the price of the product that calculators compare with, `{product:kit.price}` the prices of Kit.
 */
export function resolveName(
  name: string,
  { products, savings }: { readonly products: Content['products']; readonly savings: Content['savings'] },
): readonly string[] {
  const [group = '', path = ''] = name.split(':');
  const [first = '', ...rest] = path.split('.');
  if (group === 'claim') return [`claim:${first}`];
  const isUsage = group === 'stack' && STACK_USAGE.test(path);
  if (group === 'total' || isUsage) {
    const lines = savings.totals[(isUsage ? savings.stackUsage?.total : first) ?? '']?.lines ?? [];
    return lines.flatMap(({ figure }) => (figure === undefined ? [] : [`product:${figure}`]));
  }
  if (group === 'product') return resolveProductPath(products.get(first), rest);
  const { product } = savings;
  if (product === undefined) return [];
  if (group === 'trial' || group === 'guarantee') return [`product:${product.key}.${group}-${path}`];
  if (group === 'price' || group === 'subaccounts') {
    return resolveProductPath(product, group === 'price' ? [first] : [first, 'sub-accounts']);
  }
  return [];
}

function resolveProductPath(
  product: Product | undefined,
  [first = '', second = '']: readonly string[],
): string[] {
  if (product === undefined) return [];
  const { key, offers, facts } = product;
  if (facts.some((fact) => fact.key === first)) return [`product:${key}.${first}`];
  const offer = offers.find((one) => one.key === first);
  if (offer === undefined) {
    return ['price', 'checked'].includes(first) ? offers.map((one) => `product:${key}.${one.key}`) : [];
  }
  const isFact = offer.facts.some((fact) => fact.key === second);
  return [`product:${key}.${first}${isFact ? `.${second}` : ''}`];
}
