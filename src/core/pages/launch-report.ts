import { DAY_MS } from '../clock.ts';
import { isExamplePartner, type Partner, RULE_SUBJECTS } from '../outbound/partner.ts';
import { getAgeDays, isAged } from '../products/price.ts';
import { findOldestCheck, type Product } from '../products/product.ts';
import { nameCommand } from '../text/name-command.ts';
import { isPublicAddress } from '../text/parse-text.ts';
import { CLAIM_MAX_AGE_DAYS, listShownQuotations } from './claims/claims.ts';
import { listTexts } from './claims/placeholders.ts';
import { listStatements } from './claims/statements.ts';
import { type Content, describeField } from './content.ts';
import type { Page } from './page.schema.ts';

/** The settings that decide whether a site is ready for visitors. */
export interface LaunchSettings {
  /** Empty: not set. */
  readonly siteUrl: string;
  readonly articleSource: string;
  /** Whether the article source has the key that it needs. */
  readonly hasArticleKey: boolean;
  readonly trustedProxyHops: number;
  /** Whether nothing is stored somewhere before consent, and no header of a proxy says where visitors are. */
  readonly isRegionUnknown: boolean;
  /** Whether contact messages are sent to the operator. */
  readonly isContactDelivered: boolean;
  /** Whether sign-ups for the newsletter go anywhere. */
  readonly hasNewsletter: boolean;
  /** When the databases were last copied, ms since 1970; null: never. */
  readonly lastBackup: number | null;
  /** What is wrong with the copy of the data; left out or null without a copy or a fault. */
  readonly copyFault?: string | null;
}

/** One thing to do before visitors come, and the file to do it in. */
export interface LaunchFinding {
  /** `error`: the site earns nothing, breaks the law or loses data. `warning`: it looks unfinished. */
  readonly level: 'error' | 'warning';
  readonly file: string;
  readonly text: string;
  /** The field of the file, such as `affiliate.value`; left out: no one field is meant. */
  readonly at?: string;
  /** What it consists of, a line each. */
  readonly details?: readonly string[];
}

const BACKUP_DAYS = 7;

/** Affiliate codes that ship with the software: links with one of them earn their operator nothing. */
const SHIPPED_CODES: ReadonlySet<string> = new Set(['signpost', 'hlmax', 'your-code']);

/**
 * The day on which the content shipped. Its figures and rules were read in copies and have the days of those: a day up to this
 * one says that the operator has not looked at the source yet.
 */
const SHIPPED_ON = '2026-11-25';

/** Whether the operator has to look at a source: not since the site was set up, or too long ago. `now`: ms since 1970. */
const isUnconfirmed = (checked: string, now: number) =>
  checked <= SHIPPED_ON || now - Date.parse(checked) > CLAIM_MAX_AGE_DAYS * DAY_MS;

/** What to do about prices that are too old. */
export const CHECK_PRICES =
  'compare them with the pages of the providers, correct them, then set the day on which they were checked';

/** A product with prices that are too old to be shown. */
export interface OldPrices {
  /** `products/kit.yaml`. */
  readonly file: string;
  readonly product: string;
  /** Names of the offers. */
  readonly offers: readonly string[];
  /** Age of the oldest, in days. */
  readonly days: number;
}

/** Finds the prices that were checked longer ago than `maxAgeDays` of their product. `now`: ms since 1970. */
export function findOldPrices(products: ReadonlyMap<string, Product>, now: number): readonly OldPrices[] {
  return [...products.values()].flatMap((product): OldPrices[] => {
    const aged = product.offers.filter((offer) => offer.source !== undefined && isAged(product, offer, now));
    if (aged.length === 0) return [];
    const days = Math.max(...aged.map(({ source }) => getAgeDays(source?.checked ?? '', now)));
    return [
      {
        file: `products/${product.key}.yaml`,
        product: product.name,
        offers: aged.map(({ name }) => name),
        days,
      },
    ];
  });
}

/** How long before a price or a charge is past its age the launch check names it, at most half of that age. */
const EXPIRES_SOON_DAYS = 60;

/** Names the prices and charges that will soon be past their age, by product and the last day of the first of them. */
function findExpiring(products: ReadonlyMap<string, Product>, now: number): LaunchFinding[] {
  return [...products.values()].flatMap((product): LaunchFinding[] => {
    const { key, name, maxAgeDays, offers, facts } = product;
    const soon = [...offers, ...facts, ...offers.flatMap((offer) => offer.facts)].flatMap((figure) => {
      const soonDays = Math.min(EXPIRES_SOON_DAYS, maxAgeDays / 2);
      if (isAged(product, figure, now) || !isAged(product, figure, now + soonDays * DAY_MS)) return [];
      const { source } = figure;
      return source === undefined
        ? []
        : [{ ...source, label: 'label' in figure ? figure.label : figure.name }];
    });
    if (soon.length === 0) return [];
    const last = new Date(Date.parse(findOldestCheck(soon)) + maxAgeDays * DAY_MS).toISOString().slice(0, 10);
    const labels = [...new Set(soon.map(({ label }) => label))].join(', ');
    const text = `figures of ${name} (${labels}) are past their age after ${last}: ${CHECK_PRICES}`;
    return [warning(`content/products/${key}.yaml`, text, 'sources')];
  });
}

/** Says which prices of a product are too old, and when they were last checked. */
export const describeOldPrices = ({ product, offers, days }: OldPrices): string =>
  `prices of ${product} (${offers.join(', ')}) were last checked ${days} days ago`;

/** Lists what is missing before the launch. `now`: ms since 1970. */
export function findLaunchFaults(
  content: Omit<Content, 'figures' | 'images'>,
  settings: LaunchSettings,
  now: number,
): readonly LaunchFinding[] {
  return [
    ...judgeSettings(settings, now),
    ...[...content.partners.values()].flatMap((partner, _, all) =>
      judgePartner(partner, all.length === 1, now),
    ),
    ...[...content.pages].flatMap(([route, page]) => judgePage(route, page, settings)),
    ...judgeContent(content, now),
    ...judgeFigures(content, now),
    ...judgeBrand(content),
  ].filter((finding) => finding !== false);
}

/** What was judged; `false` for what is right. */
type Findings = readonly (LaunchFinding | false)[];

function error(file: string, text: string, at?: string): LaunchFinding {
  return { level: 'error', file, text, ...(at !== undefined && { at }) };
}

function warning(file: string, text: string, at?: string): LaunchFinding {
  return { ...error(file, text, at), level: 'warning' };
}

function judgeSettings(settings: LaunchSettings, now: number): Findings {
  const { siteUrl, lastBackup } = settings;
  const isPublic = isPublicAddress(siteUrl);
  const backupAge = lastBackup === null ? null : Math.floor((now - lastBackup) / DAY_MS);
  return [
    !isPublic &&
      error('.env', 'SITE_URL is not a public address, so pages and feeds contain wrong addresses'),
    isPublic &&
      !siteUrl.startsWith('https:') &&
      error('.env', 'SITE_URL does not begin with https: put a proxy with TLS in front (docs/deployment.md)'),
    isPublic &&
      settings.trustedProxyHops === 0 &&
      warning('.env', 'TRUSTED_PROXY_HOPS is 0: behind a proxy set it to 1, or all visitors share one limit'),
    isPublic &&
      settings.isRegionUnknown &&
      warning(
        '.env',
        'REGION_HEADER is empty: name the header in which your proxy sends the country, or the time zone alone decides where nothing is stored',
      ),
    !settings.hasArticleKey &&
      error(
        '.env',
        `the article source "${settings.articleSource}" has no key, so the blog shows the connect screen`,
      ),
    !settings.isContactDelivered &&
      warning(
        '.env',
        'contact messages are only stored: set SMTP_URL and MAIL_TO, or CONTACT_WEBHOOK_URL and WEBHOOK_KEY, to receive them',
      ),
    typeof settings.copyFault === 'string' && error('.env', settings.copyFault),
    (backupAge === null || backupAge > BACKUP_DAYS) &&
      warning(
        'docs/operations.md',
        backupAge === null
          ? `there is no backup: run ${nameCommand('backup FOLDER')} every day`
          : `the last backup is ${backupAge} days old: run ${nameCommand('backup FOLDER')} every day`,
      ),
  ];
}

function judgePartner(partner: Partner, isOnly: boolean, now: number): Findings {
  const { key, name, affiliate } = partner;
  if (isExamplePartner(partner))
    return [
      isOnly
        ? error('content/partners/', 'no partner yet: add the first one, which replaces the example')
        : error('content/partners/example.yaml', 'the example: remove it once no product names it'),
    ];
  return [
    affiliate !== null &&
      SHIPPED_CODES.has(affiliate.value) &&
      error(
        `content/partners/${key}.yaml`,
        `your code is the shipped one, "${affiliate.value}": links to ${name} do not earn for you`,
        'affiliate.value',
      ),
    ...judgeRules(partner, now),
  ];
}

/** Lists the rules of a program that the operator has to read, and the subjects without a rule. */
function judgeRules({ key, name, rules }: Partner, now: number): LaunchFinding[] {
  const stated = [
    ...RULE_SUBJECTS.flatMap((subject) => {
      const rule = rules[subject.key];
      return rule === null ? [] : [{ ...rule, title: `${subject.title}: ${rule.allowed}. ` }];
    }),
    ...rules.conditions.map((condition) => ({ ...condition, title: '' })),
  ];
  const open = stated.filter(({ checked }) => isUnconfirmed(checked, now));
  if (stated.length > 0 && open.length === 0) return [];
  const unknown = RULE_SUBJECTS.filter((subject) => rules[subject.key] === null).map(({ title }) => title);
  return [
    {
      level: 'warning',
      file: `content/partners/${key}.yaml`,
      at: 'rules',
      text: `rules of the program of ${name}: read them at their sources, then set the day on which you did`,
      details: [
        ...open.map(({ title, text, source, checked }) => `${title}${text} (${source}, ${checked})`),
        ...(unknown.length > 0 ? [`no rule known: ${unknown.join(', ')}; ask the program`] : []),
      ],
    },
  ];
}

function judgePage(route: string, { sections }: Page, { hasNewsletter }: LaunchSettings): Findings {
  return [
    !hasNewsletter &&
      sections.some(({ type }) => type === 'newsletter') &&
      warning(
        '.env',
        `the newsletter section of ${route} is hidden: set NEWSLETTER_PROVIDER (docs/recipes/newsletter.md)`,
      ),
  ];
}

function judgeContent(
  { site, authors, claims, products, pages, assessment }: Parameters<typeof findLaunchFaults>[0],
  now: number,
): Findings {
  const { operator, samples, copyright, robots } = site;
  const quotations = [
    ...[...pages.values()].flatMap(({ sections }) =>
      sections.flatMap((section) => (section.type === 'testimonials' ? section.items : [])),
    ),
    ...assessment.copy.intro.testimonials,
  ].filter(({ sample }) => sample);
  const shown = listShownQuotations(quotations, samples === 'show').length;
  const unproven = [...claims.values()].filter(({ evidence }) => evidence === '').length;
  const year = new Date(now).getUTCFullYear();
  return [
    (operator.name === '' || operator.address === '') &&
      error('content/site.yaml', 'operator: the legal name or address is missing', 'operator'),
    ...[...authors.values()].map(
      ({ key, kind, made }) =>
        kind === 'team' &&
        made === undefined &&
        error(
          `content/authors/${key}.yaml`,
          'no person answers for the texts: name one, or say in `made`, in a sentence, how they are made',
        ),
    ),
    robots.search === 'disallow' &&
      warning(
        'content/site.yaml',
        'robots: search is disallow, so that search engines are told to stay out of every page',
        'robots',
      ),
    shown > 0 &&
      warning(
        'content/site.yaml',
        `${shown} sample quotations are shown to visitors: replace them or set samples: local`,
        'samples',
      ),
    unproven > 0 &&
      warning(
        'content/claims/',
        `${unproven} of ${claims.size} claims have no evidence (${nameCommand('claims')} lists them)`,
      ),
    ...findOldPrices(products, now).map((old) =>
      warning(
        `content/${old.file}`,
        `${describeOldPrices(old)} and are not shown: ${CHECK_PRICES}`,
        'offers',
      ),
    ),
    ...findExpiring(products, now),
    copyright.year < year - 1 &&
      warning(
        'content/site.yaml',
        `copyright.year is ${copyright.year}, which makes the site look abandoned: write ${year}`,
        'copyright.year',
      ),
  ];
}

/** Lists the prices, limits and claims that the operator has not compared with their sources, by file and source. */
function judgeFigures(content: Parameters<typeof findLaunchFaults>[0], now: number): LaunchFinding[] {
  const open = listStatements(content).filter(
    ({ kind, checked }) => kind !== 'rule' && checked !== '' && isUnconfirmed(checked, now),
  );
  return [...Map.groupBy(open, ({ file }) => file)].map(([file, found]): LaunchFinding => {
    const bySource = Map.groupBy(found, ({ checked, source }) => `${checked} ${source}`);
    const count = found.length === 1 ? '1 figure' : `${found.length} figures`;
    return {
      level: 'warning',
      file: `content/${file}`,
      text: `${count} not compared with the source since the day of its copy: compare, then set the day on which you did`,
      details: [...bySource].map(([source, list]) => `${source}: ${list.map(({ text }) => text).join('; ')}`),
    };
  });
}

/** Finds what visitors still see of the example site. */
function judgeBrand(content: Parameters<typeof findLaunchFaults>[0]): Findings {
  const missing = (['logo', 'favicon'] as const).filter((field) => content.brand[field] === undefined);
  return [
    ...findSampleBrand(content).map(({ file, field, path }) =>
      warning(file, `${field} still names the example site: write your own text`, path.join('.')),
    ),
    missing.length > 0 &&
      warning(
        'content/brand.yaml',
        `${missing.join(' and ')} not set: visitors see the shipped mark`,
        missing[0],
      ),
  ];
}

const SAMPLE_NAME = 'CRM & Automation Hub';

/** Lists every text of the content that has the name of the example, by file and field. */
export function findSampleBrand(content: Omit<Content, 'figures' | 'images'>) {
  const { site, authors, claims, products, savings, pages, assessment, partners, brand } = content;
  const byFile = (folder: string, values: ReadonlyMap<string, unknown>) =>
    [...values].map(([key, value]) => [`content/${folder}/${key.replace(/^\//, '')}.yaml`, value] as const);
  // The holder is the name of the site unless the file has another one.
  const { holder, ...copyright } = site.copyright;
  const files: readonly (readonly [string, unknown])[] = [
    ['content/site.yaml', { ...site, copyright: holder === site.name ? copyright : site.copyright }],
    ['content/brand.yaml', brand],
    ['content/calculators.yaml', savings],
    ['content/assessment.yaml', assessment],
    ['content/claims/', Object.fromEntries(claims)],
    ...byFile('products', products),
    ...byFile('partners', partners),
    ...byFile('authors', authors),
    ...byFile('pages', pages),
  ];
  return files.flatMap(([file, value]) =>
    listTexts(value)
      .filter(({ text }) => text.includes(SAMPLE_NAME))
      .map(({ path }) => ({ file, path, field: describeField(value, path) })),
  );
}
