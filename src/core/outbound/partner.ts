import type { CommissionTerms } from '../commissions/ledger/commission-terms.ts';
import { buildRedirectPath, parseRedirectPath } from '../paths.ts';
import { listLabels } from './labels.ts';
import type { OfferExpectation } from './page-expectation.ts';
import type { PartnerFile, PartnerLabels, RuleFields } from './partner.schema.ts';

/** A platform that the site links to for a commission, as `content/partners/*.yaml` states it. */
export interface Partner
  extends Readonly<Omit<PartnerFile, 'forward' | 'regions' | 'rules' | 'terms' | 'watch'>> {
  /** What links pass on. */
  readonly forward: readonly Forwarded[];
  /** Addresses of visitors of some regions (ISO 3166 codes such as `DE`), by page key; they replace the destination. */
  readonly regions?: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;
  readonly rules: PartnerRules;
  readonly terms: CommissionTerms;
  /** How its links are checked; as usual when left out. */
  readonly watch?: PartnerWatch | undefined;
}

/** Whether a partner is the one that a new site has until its first partner is added: nothing leads to it. */
export const isExamplePartner = ({ key, site }: Partner): boolean =>
  key === 'example' && site === 'https://www.example.com/';

/** Whether links to a partner carry a code that is nobody's. */
export const hasPlaceholderCode = (partner: Partner): boolean =>
  !isExamplePartner(partner) &&
  /^(?:(?:your|my)[-_.]?(?:own[-_.]?)?(?:code|id|ref|name|tag|affiliate[-_.]?id)|example|sample|placeholder|change[-_.]?me|x{3,})$/i.test(
    partner.affiliate?.value ?? '',
  );

/** What links can pass on, by the names that a partner's file gives. `utm`: our templates; `campaign`: that of the visit. */
export const FORWARDED = ['affiliate', 'subId', 'utm', 'campaign', 'ads', 'journey', 'answers'] as const;

export type Forwarded = (typeof FORWARDED)[number];

/** What links say in their utm parameters; an empty template leaves its parameter out. */
export type UtmTemplates = Readonly<Record<'source' | 'medium' | 'campaign' | 'content', string>>;

/** What a site sends whose `site.yaml` does not say it. */
export const USUAL_UTM: UtmTemplates = {
  source: '{page}',
  medium: 'web',
  campaign: '',
  content: '{content|cta}_{businessType}_{budget}_{page}',
};

/** What templates can name. */
export const UTM_WORDS = ['content', 'page', 'partner', 'businessType', 'budget'] as const;

/** Completes the templates of a partner with those of its site. */
export const fillUtm = (partner: Partner, site: UtmTemplates): Partner => ({
  ...partner,
  campaign: partner.campaign ?? site.campaign,
  utm: { ...site, ...partner.utm },
});

export const REDIRECTS = ['page', 'http', 'no'] as const;

/** How the links to a partner are checked. */
export interface PartnerWatch {
  /** true: no link to the partner is checked. */
  readonly isOff: boolean;
  /** Every host that a check may send a request to. */
  readonly hosts: readonly string[];
  /** What the page of a destination has to say, by page key. */
  readonly expect: ReadonlyMap<string, OfferExpectation>;
}

/**
 * What a program demands of the sites of its partners; a rule is null when none was found. `ask`: it allows
 * something with its approval, or its rules leave it open.
 */
export type PartnerRules = Readonly<RuleFields>;

/** The rules of programs that a site can break, as the launch check names them. */
export const RULE_SUBJECTS = [
  { key: 'claims', title: 'claims about results' },
  { key: 'comparisons', title: 'comparisons with competitors' },
  { key: 'brandBidding', title: 'ads on its name' },
  { key: 'copying', title: 'copied texts, images and marks' },
  { key: 'discounts', title: 'discounts and coupons' },
] as const;

/** The rules of a program of which nothing is known. */
export const NO_RULES: PartnerRules = {
  claims: null,
  comparisons: null,
  brandBidding: null,
  copying: null,
  discounts: null,
  conditions: [],
};

/** The parameter of an affiliate program that comes back in its reports. */
export type SubId = NonNullable<PartnerFile['subId']>;

/** Where a path of the redirect leads. */
export interface PartnerTarget {
  readonly partner: Partner;
  /** Page key that the path sets; null when the query does (`/go/kit?page=demo`). */
  readonly pageKey: string | null;
}

/** Returns the partner that a path leads to through the redirect: `/go/{key}` or the partner's trial path. */
export function matchPartnerPath(path: string, partners: ReadonlyMap<string, Partner>): PartnerTarget | null {
  const key = parseRedirectPath(path);
  const named = key === null ? undefined : partners.get(key);
  if (named !== undefined) return { partner: named, pageKey: null };
  for (const partner of partners.values()) {
    if (partner.trialPath === path) return { partner, pageKey: 'trial' };
  }
  return null;
}

/** Whether a path belongs to the redirect, also when it names a partner that does not exist. */
export function isPartnerPath(path: string, partners: ReadonlyMap<string, Partner>): boolean {
  return parseRedirectPath(path) !== null || matchPartnerPath(path, partners) !== null;
}

/**
 * Finds the partner to which an address leads past the redirect: one of its hosts, of those on the way there, or an address
 * with its affiliate code. Null for every other one.
 */
export function findPartnerOfAddress(text: string, partners: ReadonlyMap<string, Partner>): Partner | null {
  if (!URL.canParse(text)) return null;
  const { host, searchParams } = new URL(text);
  const isOf = ({ site, watch, affiliate, labels }: Partner) => {
    if (new URL(site).host === host || watch?.hosts.includes(host) === true) return true;
    const value = affiliate && searchParams.get(affiliate.parameter);
    return (
      value !== null &&
      (value === affiliate?.value || (isPayeeLabel(affiliate, labels) && listLabels(labels).includes(value)))
    );
  };
  return [...partners.values()].find(isOf) ?? null;
}

/** Lists every path that leads to a partner, for example `/go/kit` and `/kit-trial`. */
export function listPartnerPaths(partners: ReadonlyMap<string, Partner>): string[] {
  return [...buildPartnerTargets(partners).keys()];
}

export function buildPartnerTargets(
  partners: ReadonlyMap<string, Partner>,
): ReadonlyMap<string, PartnerTarget> {
  return new Map(
    [...partners.values()].flatMap((partner): [string, PartnerTarget][] => [
      [buildRedirectPath(partner.key), { partner, pageKey: null }],
      ...(partner.trialPath === null
        ? []
        : [[partner.trialPath, { partner, pageKey: 'trial' }] as [string, PartnerTarget]]),
    ]),
  );
}

/** Whether the labels of a partner stand in the place of its affiliate id, so that they decide who is paid. */
export const isPayeeLabel = (
  affiliate: Partner['affiliate'],
  labels: Partner['labels'],
): labels is PartnerLabels =>
  affiliate !== null && labels !== undefined && labels.parameter === affiliate.parameter;

/** The parameters of who is paid and of a page's label, which may be one. */
export function listPaidParameters(
  { affiliate, labels }: Partner,
  label: string | null,
): (readonly [name: string, value: string])[] {
  const parameter = label === null ? undefined : labels?.parameter;
  const own = affiliate === null || affiliate.parameter === parameter ? [] : [affiliate];
  return [
    ...own.map(({ parameter: name, value }) => [name, value] as const),
    ...(label === null || parameter === undefined ? [] : [[parameter, label] as const]),
  ];
}

/** The address that a link pays for: a destination with the affiliate's parameter and a label, and nothing of a visit. */
export function buildPaidAddress(partner: Partner, address: string, label: string | null = null): string {
  const [base = '', hash] = address.split('#', 2);
  const pair = listPaidParameters(partner, label)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  if (pair === '') return address;
  return `${base}${base.includes('?') ? '&' : '?'}${pair}${hash === undefined ? '' : `#${hash}`}`;
}
