/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const WITHOUT_DIGITS = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
const WITH_THREE_DIGITS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** Number of digits after the decimal point of a currency (ISO 4217 code), for example 2 for USD and 0 for JPY. */
export function getMinorDigits(currency: string): number {
  if (WITHOUT_DIGITS.has(currency)) return 0;
  return WITH_THREE_DIGITS.has(currency) ? 3 : 2;
}

/** Funds of ISO 4217, in which nobody is paid, and codes of no country: metals, tests. */
const NO_MONEY = /^(?:X(?!AF|CD|CG|OF|PF)|CLF|CHE|CHW|COU|BOV|MXV|USN|UYI|UYW)/;
let currencies: ReadonlySet<string> | undefined;

/** Whether a text is the code of a currency that people are paid in now: `USD`, not `BTC`, `XXX` or `CLF`. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return currencies.has(code) && !NO_MONEY.test(code);
}

/**
 * Parses a decimal amount (`12.34`, `-0.5`, `1e3` is refused) into minor units of a currency. Digits beyond the
 * currency's precision are rounded half away from zero. Null for anything that is not a plain decimal number or
 * that is too large to be exact.
 */
export function parseDecimalAmount(text: string, currency: string): number | null {
  const match = /^([+-]?)(\d{1,16})(?:\.(\d{0,12}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = getMinorDigits(currency);
  const exact = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const rounded = exact + (Number(fraction.charAt(digits) || 0) >= 5 ? 1n : 0n);
  const amount = Number(rounded);
  if (!Number.isSafeInteger(amount)) return null;
  return sign === '-' && amount !== 0 ? -amount : amount;
}

/** Currencies of which a US dollar buys more than a hundred (2026); their amounts have more digits. */
const SMALL_UNITS = new Set(
  (
    'ALL AMD AOA ARS BIF CDF CLP COP CRC DJF DZD GNF GYD HUF IDR IQD IRR ISK JPY KES KHR KMF KRW KZT LAK LBP LKR ' +
    'MGA MMK MNT MWK NGN PKR PYG RSD RWF SDG SLE SOS SSP SYP TZS UGX UZS VES VND XAF XOF XPF YER'
  ).split(' '),
);

/** Whether one commission or sale can have an amount (minor units): at most a million, in small currencies a billion. */
export function isPlausibleAmount(amount: number, currency: string): boolean {
  const max = (SMALL_UNITS.has(currency) ? 1e9 : 1e6) * 10 ** getMinorDigits(currency);
  return Math.abs(amount) <= max;
}

/** Formats minor units as a plain decimal, for example `1234` in USD as `12.34`. */
export function formatDecimalAmount(amount: number, currency: string): string {
  const digits = getMinorDigits(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${amount < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`;
}

/**
 * Splits an amount in minor units by weights so that the parts sum to it exactly (largest remainder): each part is
 * rounded down, and the units that are left go to the largest fractions, the earlier part first among equal ones. A
 * negative amount is split like its opposite. Weights are integers of at least 0 with a positive sum.
 */
export function allocateAmount(amount: number, weights: readonly number[]): number[] {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  if (weights.length === 0 || total <= 0n)
    throw new RangeError('An amount needs at least one positive weight.');
  if (weights.every((weight) => weight === weights[0])) return splitEqually(amount, weights.length);
  const size = BigInt(Math.abs(amount));
  const parts = weights.map((weight, index) => {
    const share = size * BigInt(weight);
    return { index, units: share / total, remainder: share % total };
  });
  let left = size - parts.reduce((sum, { units }) => sum + units, 0n);
  const byRemainder = [...parts].sort((one, other) =>
    one.remainder === other.remainder ? one.index - other.index : one.remainder > other.remainder ? -1 : 1,
  );
  for (const part of byRemainder) {
    if (left === 0n) break;
    part.units += 1n;
    left -= 1n;
  }
  return parts.map(({ units }) => (amount < 0 && units !== 0n ? -Number(units) : Number(units)));
}

/** The same for equal weights, without big integers: reports split every commission. */
function splitEqually(amount: number, count: number): number[] {
  const size = Math.abs(amount);
  const units = Math.floor(size / count);
  const left = size - units * count;
  const sign = amount < 0 ? -1 : 1;
  return Array.from({ length: count }, (_, index) => sign * (units + (index < left ? 1 : 0)) + 0);
}

/** How a report writes numbers: which sign separates the decimals. */
export type DecimalSign = '.' | ',';

/** Digits in groups of three or in one, with decimals, by the sign of these. */
const GROUPED: Readonly<Record<DecimalSign, RegExp>> = {
  // Lakhs have groups of two: 1,23,456.78.
  '.': /^([1-9]\d{0,2}(,\d{3})+|[1-9]\d?(,\d{2})+,\d{3}|\d+)?(\.\d*)?$/,
  ',': /^([1-9]\d{0,2}(\.\d{3})+|\d+)?(,\d*)?$/,
};

/** A text with one kind of dash and without those that stand for no decimals, as in `12,-`. */
export const readDashes = (text: string): string =>
  text.replace(/[\u2010-\u2015\u2212]/g, '-').replace(/(?<=\d[.,])-{1,2}(?![-\d])/, '');

/**
 * Parses an amount as reports write them into minor units: currency signs and codes, group separators, a sign in
 * front or behind, parentheses for negative amounts, dashes for no decimals. Null for anything that is not one number.
 */
export function parseReportAmount(text: string, currency: string, decimal: DecimalSign): number | null {
  const compact = readDashes(text.replace(/[\s\u00a0\u202f'’]/g, ''));
  const match =
    /^(?:\p{Sc}(?=\())?(\()?([+-]?)(?:[A-Z]{3}|(?:[A-Z]{2})?\p{Sc})?([+-]?)([\d.,]+)(?:[A-Z]{3}|\p{Sc})?(-?)(\))?$/u.exec(
      compact,
    );
  if (match === null) return null;
  const [, open, before = '', after = '', digits = '', behind = '', close] = match;
  if ((open === undefined) !== (close === undefined)) return null;
  const signs = before + after + behind;
  if (signs.length > 1) return null;
  const group = decimal === '.' ? ',' : '.';
  if (!GROUPED[decimal].test(digits) || !/\d/.test(digits)) return null;
  const plain = digits.replaceAll(group, '').replace(decimal, '.');
  const isNegative = open !== undefined || signs === '-';
  const amount = parseDecimalAmount(plain.startsWith('.') ? `0${plain}` : plain, currency);
  return amount === null || !isNegative || amount === 0 ? amount : -amount;
}

/**
 * Whether three digits follow the only sign of an amount, so that it separates groups or decimals: `1.234`. In currencies
 * with three decimals a point is theirs.
 */
function isThousands(text: string, currency: string): boolean {
  const digits = text.replace(/[^\d.,]/g, '');
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) && (getMinorDigits(currency) !== 3 || digits.includes(','));
}

/** The two amounts that a text can be when nothing says what its only sign separates; null when it is one. */
export function findTwoAmounts(
  text: string,
  currency: string,
  decimal: DecimalSign | 'unknown',
): string | null {
  if (!isThousands(text, currency)) return null;
  // Of a currency without decimals a sign before three digits is never that of decimals.
  if (decimal !== 'unknown' && (getMinorDigits(currency) > 0 || !text.includes(decimal))) return null;
  const [whole = '', rest = ''] = text.replace(/[^\d.,]/g, '').split(/[.,]/);
  return `${whole}.${rest.slice(0, Math.max(2, getMinorDigits(currency)))} or ${whole}${rest}`;
}

let owners: ReadonlyMap<string, readonly string[]> | undefined;

/** The currencies that are written with each sign (`$`, `kr`) and code. */
function readOwners(): ReadonlyMap<string, readonly string[]> {
  if (owners !== undefined) return owners;
  const codes = Intl.supportedValuesOf('currency');
  const getSign = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ?? currency;
  owners = new Map([
    ...Map.groupBy(codes, getSign),
    ...codes.map((code): [string, readonly string[]] => [code, [code]]),
  ]);
  return owners;
}

/** The sign or code of another currency that an amount is written with; null without one. */
export function findForeignSign(text: string, currency: string): string | null {
  for (const [sign, country = ''] of text.matchAll(/[A-Z]{3}|([A-Z]{2})?\p{Sc}/gu)) {
    const isOwn = readOwners().get(sign.slice(country.length).normalize('NFKC'))?.includes(currency);
    if (sign !== currency && !(isOwn && currency.startsWith(country))) return sign;
  }
  return null;
}

/**
 * The currency that a heading names: `EUR` of `Commission (€)`, `Commission EUR` and `commission_eur`. `own`: the one that is
 * meant by a sign of several. A sign that can mean others is returned as it is. null: the heading names none.
 */
export function getHeaderCurrency(header: string | null, own = ''): string | null {
  const key = `${own} ${header}`;
  const found = headings.get(key) ?? findHeaderCurrency(header ?? '', own);
  if (headings.size < 1_000) headings.set(key, found);
  return found.currency;
}

/** What headings name: every row of a report asks for its own. */
const headings = new Map<string, { readonly currency: string | null }>();

function findHeaderCurrency(header: string, own: string) {
  const text = header.normalize('NFKC');
  const inside = /[([]([^()[\]]*)[)\]]\s*$/.exec(text)?.[1]?.split(/[\s,/]+/) ?? [];
  const around = text.split(/[^\p{L}\p{Sc}]+/u).filter(Boolean);
  // Words such as `All` begin and end headings too.
  const atEnds = [around.at(-1) ?? '', around[0] ?? '']
    .map((word) => word.toUpperCase())
    .filter((word) => /^(?!ALL|TOP|TRY|NET)[A-Z]{3}$|^[A-Z]{0,2}\p{Sc}$/u.test(word));
  const words = [...inside, ...atEnds];
  // `C$` is the Canadian sign, and that of another dollar too.
  const isOwn = (word: string): boolean =>
    readOwners().get(word)?.includes(own) === true ||
    (/^[A-Z]+\p{Sc}$/u.test(word) && own.startsWith(word.slice(0, -1)) && isOwn(word.slice(-1)));
  const sign = words.find((word) => /\p{Sc}/u.test(word) || readOwners().has(word)) ?? null;
  const [only, ...others] = readOwners().get(sign ?? '') ?? [];
  const isClear = only !== undefined && others.length === 0 && !/\p{L}\p{Sc}/u.test(sign ?? '');
  return { currency: words.some(isOwn) ? own : isClear ? only : sign };
}

/**
 * Detects the decimal sign of amounts in a currency: `ask` when a sign with three digits is all that there is, which can separate
 * groups or decimals, `unknown` when there is no sign, null when the values contradict each other.
 */
export function detectCurrencySign(
  values: readonly string[],
  currency: string,
): DecimalSign | 'ask' | 'unknown' | null {
  const signs = new Set(values.map(findDecimalSign).filter((sign) => sign !== undefined));
  const [sign = null, ...others] = signs;
  if (sign !== null) return others.length === 0 ? sign : null;
  const open = values.find((value) => isThousands(value, currency));
  if (open === undefined) return 'unknown';
  // A currency without decimals has groups alone.
  return getMinorDigits(currency) > 0 ? 'ask' : open.includes('.') ? ',' : '.';
}

/** What an operator is told of a file whose decimal sign cannot be detected. */
export const describeOpenSign = (found: 'ask' | null): string =>
  found === null
    ? 'The amounts use both . and , as the decimal sign.'
    : 'The amounts have three digits after their only sign, so that 1.234 can be 1.23 or 1234: choose the decimal sign . or , (--decimal).';

/** Whether a text is the code or the sign of a currency. Columns of other things are full of `all` and `top`. */
export const isCurrencyWord = (text: string): boolean =>
  /^(?!all$|top$|ALL$|TOP$)(?:[A-Z]{3}|[a-z]{3}|\p{Sc})$/u.test(text) && readOwners().has(text.toUpperCase());

function findDecimalSign(value: string): DecimalSign | undefined {
  const digits = value.replace(/[^\d.,]/g, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return undefined;
  const sign = digits.charAt(last) === '.' ? '.' : ',';
  const other = sign === '.' ? ',' : '.';
  if (digits.includes(other)) return sign;
  const isRepeated = digits.indexOf(sign) !== last;
  if (isRepeated) return other;
  return digits.length - last - 1 === 3 && !digits.startsWith('0') ? undefined : sign;
}
