import { hash } from 'node:crypto';
import { readShippedHashes } from '../../content-files/site-folder.ts';
import { isFoundByLabel } from '../../core/outbound/labels.ts';
import { isExamplePartner } from '../../core/outbound/partner.ts';
import { LINKED_PAGES } from '../../core/paths.ts';
import { isPublicAddress } from '../../core/text/parse-text.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';

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
  const untracked = partners.filter((one) => one.subId === null && !byLabel.includes(one));
  const [only] = byLabel.length === partners.length ? byLabel : [];
  const names = NAMES.format(partners.map(({ name }) => name));
  const products = isOwn ? [...content.products.values()] : [];
  const pages = [...content.pages].filter(([path]) => ![...LINKED_PAGES, '/terms'].includes(path));
  const pieces = isOwn ? [...site.content.articles.getSummaries(), ...pages.map(([, page]) => page)] : [];
  const { colors, logo, look } = content.brand;
  const hasLook = isOwn && (Object.values(colors).some(Boolean) || logo !== undefined || look !== 'signpost');
  const [network] = partners.map(({ name }) => name);
  return [
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
              `Links to ${NAMES.format(untracked.map(({ name }) => name))} carry no sub-id, so commissions ` +
              'cannot find their clicks. Ask the program for its field of your own reference.',
            isDone: false,
            isBroken: true,
            link: { href: buildFileAddress(`partners/${untracked[0].key}.yaml`), text: 'Add the sub-id' },
          },
    {
      title: 'Reports come back',
      note:
        only === undefined
          ? 'Give the network a postback address, let its interface be read, or import a report.'
          : `${only.name} reports by tracking id: import its report.`,
      isDone: ledger.exists() && (await hasReports(site)),
      link:
        only === undefined
          ? { href: `${buildConsoleAddress('import')}#postbacks`, text: 'Connect the network' }
          : { href: buildConsoleAddress('import'), text: 'Import its report' },
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
      note: 'Open your page on a phone and follow a link to a partner: it shows here within five seconds.',
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
      link: { href: buildConsoleAddress('import'), text: 'Import a report' },
    },
  ];
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
