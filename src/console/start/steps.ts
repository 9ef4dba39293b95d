import { hash } from 'node:crypto';
import { readShippedHashes } from '../../content-files/site-folder.ts';
import { addDays, getLocalDay } from '../../core/commissions/local-time.ts';
import { splitPage } from '../../core/outbound/beside.schema.ts';
import { adviseClickId, isFoundByLabel } from '../../core/outbound/labels.ts';
import { isExamplePartner } from '../../core/outbound/partner.ts';
import { PLACEHOLDERS } from '../../core/pages/drafts.ts';
import { BESIDE_PATH, LINKED_PAGES } from '../../core/paths.ts';
import { isPublicAddress } from '../../core/text/parse-text.ts';
import { findOnlySite } from '../../server/outbound/beside.ts';
import { readBesideLinks } from '../../server/outbound/beside-pages.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { buildConsoleAddress, IMPORT_PATH } from '../reports/addresses.ts';
import { formatCount, formatNumber } from '../reports/format.ts';

/** Where an operator chooses what a new site begins with. */
export const START_PATH = buildConsoleAddress('settings', {}, { rest: ['start'] });

/** Whether the site is the sample as it ships. */
export function isShipped({ platform: { content } }: ConsoleSite): boolean {
  const file = content.files?.read('site.yaml');
  return (
    file !== undefined && 'text' in file && readShippedHashes().get('site.yaml') === hash('sha256', file.text)
  );
}

/** One of the steps from nothing to the first commission. */
export interface SetupStep {
  readonly title: string;
  /** What is there, or what to do. */
  readonly note: string;
  readonly isDone: boolean;
  /** true: what is there keeps commissions from finding their clicks. */
  readonly isBroken?: boolean;
  /** true: it is done by a click, which may come at any moment. */
  readonly awaitsClick?: boolean;
  /** The button that leads to where the step is taken. */
  readonly link: { readonly href: string; readonly text: string };
}

const NAMES = new Intl.ListFormat('en-US');
const create = (kind: string) => buildConsoleAddress('content', {}, { rest: ['new'], extra: { kind } });
const settings = (group: string) => `${buildConsoleAddress('settings')}#${group}`;

/** Reads the steps, each done by what is really there. `clicks`: of all time. Rejects with the errors of the stores. */
export async function readSteps(site: ConsoleSite, clicks: number): Promise<readonly SetupStep[]> {
  const { SITE_URL, SMTP_URL, siteUrl } = site.settings;
  const { ledger } = site.money;
  const content = site.content.read();
  // What ships is nobody's.
  const isOwn = !isShipped(site);
  const partners = isOwn ? [...content.partners.values()].filter((one) => !isExamplePartner(one)) : [];
  const byLabel = partners.filter((one) => isFoundByLabel(one, content.networks));
  // Whose links are left as they are, no parameter can change.
  const untracked = partners.filter(
    (one) => one.subId === null && one.redirect !== 'no' && !byLabel.includes(one),
  );
  const [labelled] = byLabel.length === partners.length ? byLabel : [];
  const names = NAMES.format(partners.map(({ name }) => name));
  const isFilled = (text: string) => !PLACEHOLDERS.some((placeholder) => text.includes(placeholder));
  const products = isOwn ? [...content.products.values()].filter(({ name }) => isFilled(name)) : [];
  const pages = [...content.pages].filter(([path]) => ![...LINKED_PAGES, '/terms'].includes(path));
  const written = [...site.content.articles.getSummaries(), ...pages.map(([, page]) => page)];
  const pieces = isOwn ? written.filter(({ title }) => isFilled(title)) : [];
  const { colors, logo, look } = content.brand;
  const hasLook = isOwn && (Object.values(colors).some(Boolean) || logo !== undefined || look !== 'signpost');
  const [network] = partners.map(({ name }) => name);
  const only = findOnlySite(site);
  const steps: readonly SetupStep[] = [
    {
      title: isOwn ? `Site: ${content.site.name}` : 'Site',
      note: 'Begin with an empty site, or move yours in. Until then, readers see the sample.',
      isDone: isOwn,
      link: { href: START_PATH, text: 'Choose what to start with' },
    },
    {
      title: 'Look',
      note: 'Choose one of four looks, a color or a logo.',
      isDone: hasLook,
      link: { href: buildFileAddress('brand.yaml'), text: 'Choose the look' },
    },
    {
      title: isPublicAddress(SITE_URL) ? `Address: ${new URL(SITE_URL).host}` : 'Address',
      note: 'Say where readers will find the site, and check that it answers there.',
      isDone: isPublicAddress(SITE_URL),
      link: { href: settings('address'), text: 'Set the address' },
    },
    partners.length > 0 && untracked.length === 0
      ? { ...PARTNER, title: `First partner: ${names}`, isDone: true }
      : untracked[0] === undefined
        ? PARTNER
        : {
            title: `First partner: ${names}`,
            note:
              `Links to ${NAMES.format(untracked.map(({ name }) => name))} carry no number of the click, so commissions ` +
              `cannot find their clicks. ${adviseClickId(untracked[0], content.networks)}`,
            isDone: false,
            isBroken: true,
            link: { href: buildFileAddress(`partners/${untracked[0].key}.yaml`), text: 'Add its parameter' },
          },
    {
      title: 'Reports come back',
      note:
        labelled === undefined
          ? 'Give the network an address for its messages, let its interface be read, or import a report.'
          : `${labelled.name} reports by tracking id: import its report.`,
      isDone: ledger.exists() && (await hasReports(site)),
      link:
        labelled === undefined
          ? { href: `${IMPORT_PATH}#postbacks`, text: 'Connect the network' }
          : { href: IMPORT_PATH, text: 'Import its report' },
    },
    {
      title: products[0] === undefined ? 'First product' : `First product: ${products[0].name}`,
      note: 'What you recommend, with its price and where you saw it.',
      isDone: products.length > 0,
      link: { href: create('product'), text: 'Add a product' },
    },
    {
      title: pieces[0] === undefined ? 'First piece' : `First piece: ${pieces[0].title}`,
      note: 'Publish an article or a page with a link to your partner.',
      isDone: pieces.length > 0,
      link: { href: create('article'), text: 'Write an article' },
    },
    {
      title: 'Mail',
      note: 'Alerts, the digest and contact messages need a mailbox.',
      isDone: SMTP_URL !== '',
      link: { href: settings('mail'), text: 'Set up mail' },
    },
    {
      title: clicks > 0 ? `First click: ${formatNumber(clicks)} so far` : 'First click',
      note: 'Open your page on a phone and follow a link to a partner: it shows here within five seconds. Clicks of programs such as curl are not counted.',
      isDone: clicks > 0,
      awaitsClick: clicks === 0,
      link: { href: siteUrl, text: 'Test a link' },
    },
    {
      title: 'First commission',
      note:
        network === undefined
          ? 'It shows here with its page, its place and its campaign.'
          : `It finds its click as soon as ${network} reports, usually 6 to 20 days after the first clicks.`,
      isDone: false,
      link: { href: IMPORT_PATH, text: 'Import a report' },
    },
  ];
  if (only === null) return steps;
  const [, , address, partner, reports, , , , click, commission] = steps;
  return [
    address,
    ...(await readBesideSteps(site, only)),
    await addFound(site, partner),
    reports,
    click,
    commission,
  ]
    .flatMap((step) => step ?? [])
    .map((step) => (step === click ? { ...step, link: { ...step.link, href: only } } : step));
}

/** The steps of a site that counts those of others: the line in their pages, and their first view. */
async function readBesideSteps(site: ConsoleSite, address: string): Promise<readonly SetupStep[]> {
  const { settings, clock, money } = site;
  const to = getLocalDay(clock.now(), settings.TIME_ZONE);
  const pages = await money.rollups.readByKey({ dimension: 'page', from: addDays(to, -28), to });
  const others = pages.filter(({ key: [page = ''] }) => splitPage(page).host !== '');
  const views = others.reduce((sum, own) => sum + own.views, 0);
  const isDone = views > 0;
  // Rocket Loader of Cloudflare leaves such a script alone.
  const line = `<script data-cfasync="false" src="${settings.siteUrl}${BESIDE_PATH}" async defer></script>`;
  return [
    {
      title: 'Paste the line',
      note: `Put ${line} before </head> of every page of ${address}. WordPress has a plugin, in beside/wordpress of the package.`,
      isDone,
      link: { href: buildFileAddress('beside.yaml'), text: 'Sites and their links' },
    },
    {
      title: isDone ? `Seen: ${formatCount(views, 'view')} in 28 days` : 'Seen',
      note: 'Open a page of the site: its view shows here within five seconds.',
      isDone,
      awaitsClick: !isDone,
      link: { href: address, text: 'Open the site' },
    },
  ];
}

/** Adds to the step of the first partner where the posts of the site lead. */
async function addFound(site: ConsoleSite, step: SetupStep | undefined): Promise<SetupStep | undefined> {
  const found = (await readBesideLinks(site)).slice(0, 3);
  if (step === undefined || step.isDone || found.length === 0) return step;
  const names = NAMES.format(found.map(([host, count]) => `${host} (${formatNumber(count)})`));
  return { ...step, note: `Posts link to ${names}. ${step.note}` };
}

const PARTNER: SetupStep = {
  title: 'First partner',
  note: 'Paste the link that the program gave you: your code and the address are read from it.',
  isDone: false,
  link: { href: create('partner'), text: 'Add a partner' },
};

/** Whether anything was ever reported, in whatever way. */
async function hasReports({ money: { ledger } }: ConsoleSite): Promise<boolean> {
  const [messages, unread, imports] = await Promise.all([
    ledger.readLastMessages(),
    ledger.readUnread(),
    ledger.readImports(),
  ]);
  return messages.size + unread.length + imports.length > 0;
}
