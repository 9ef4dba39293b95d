import { describePayeeValue, type PayeeChange } from '../../content-files/payee.ts';
import type { Task } from '../../core/console/task.ts';
import { type ClaimFinding, findClaimFaults } from '../../core/pages/claims/claims.ts';
import { CHECK_PRICES, findOldPrices } from '../../core/pages/launch-report.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import { buildFileAddress, buildPlaceAddress } from './file-address.ts';
import { LIVE_PAGES_VIEW, listLivePages } from './live-pages.ts';
import { readKnownLinks, readUpdates } from './updates.ts';
import { nameContentFile } from './written-files.ts';

/** Kinds of claims without a fresh source, with how a sentence counts them. */
const STALE_CLAIMS: ReadonlyMap<ClaimFinding['kind'], string> = new Map([
  ['unproven', 'without evidence'],
  ['undated', 'without a day'],
  ['old', 'too old'],
]);

/** What in the content waits for the operator as tasks: old prices, claims without a fresh source. Files are alerts. */
export async function listContentTasks(site: ConsoleSite): Promise<readonly Task[]> {
  const payees = await site.payees.readUnconfirmed(site.content.read());
  return [...payees.map(buildPayeeTask), ...listFileTasks(site), ...(await listUpdateTasks(site))];
}

/** Kind of the tasks that are for operators who may manage alone. */
export const PAYEE_TASK = 'payee';

/** Another value is another task: it returns when it was snoozed. */
const buildPayeeTask = ({ partner, what, values, hash }: PayeeChange): Task => ({
  key: `${PAYEE_TASK}:${partner}:${hash.slice(0, 16)}`,
  kind: PAYEE_TASK,
  amount: null,
  currency: null,
  text: `${what} has changed.`,
  detail: `${values.map(describePayeeValue).join(', ')}. Confirm it, or put it back.`,
  href: `${buildConsoleAddress('content')}#payees`,
});

/** Prices that other sites state otherwise, and broken links to other sites; those to partners are alerts. */
async function listUpdateTasks(site: ConsoleSite): Promise<readonly Task[]> {
  const { updates, currency } = await readUpdates(site, await readKnownLinks(site));
  const broken = updates.filter(({ kind, partner }) => kind === 'link' && partner === null);
  const href = buildConsoleAddress('content', {}, { extra: { state: 'to-do' } });
  const getMoney = (amount: number) => (amount > 0 ? { amount, currency } : { amount: null, currency: null });
  return [
    ...updates
      .filter(({ kind }) => kind === 'price')
      .map(({ key, text, amount, ...place }) => ({
        ...getMoney(amount),
        key,
        kind: 'offer',
        text: `${text}.`,
        href: buildPlaceAddress(place),
        detail: 'Compare, then correct it. Until then the price counts as stale.',
      })),
    ...(broken.length === 0
      ? []
      : [
          {
            ...getMoney(broken.reduce((sum, { amount }) => sum + amount, 0)),
            key: 'external-links',
            kind: 'external-links',
            level: broken.length,
            href,
            text:
              broken.length === 1
                ? '1 link to another site is broken or has changed.'
                : `${formatNumber(broken.length)} links to other sites are broken or have changed.`,
            detail: broken[0]?.text,
          },
        ]),
  ];
}

function listFileTasks(site: ConsoleSite): readonly Task[] {
  const { clock } = site;
  const content = site.content.read();
  const base = { amount: null, currency: null };
  // Where a claim is made does not matter here, and finding out reads every file.
  const stale = findClaimFaults({
    claims: content.claims,
    uses: new Map(),
    samples: [],
    today: clock.now(),
  }).filter(({ kind }) => STALE_CLAIMS.has(kind));
  const counts = [...STALE_CLAIMS]
    .map(([kind, name]) => [stale.filter((one) => one.kind === kind).length, name] as const)
    .filter(([count]) => count > 0);
  const claims = stale.length === 1 ? '1 claim has' : `${formatNumber(stale.length)} claims have`;
  const prices = findOldPrices(content.products, clock.now());
  const placeholders = site.platform.content.checkCopy(content).filter(({ kind }) => kind === 'placeholder');
  const files = [...new Set(placeholders.map(({ file }) => file.replace(/^content\/|:\d+$/g, '')))];
  const attention = buildConsoleAddress('content', {}, { extra: { state: 'to-do' } });
  const unopened = listLivePages(content);
  const [, line] = /:(\d+)$/.exec(placeholders[0]?.file ?? '') ?? [];
  const nameAll = (list: readonly string[]) => list.map((file) => nameContentFile(site, file)).join(', ');
  const tasks: readonly (Task & { readonly level: number })[] = [
    {
      ...base,
      key: 'placeholders',
      kind: 'placeholders',
      level: placeholders.length,
      text:
        placeholders.length === 1
          ? '1 text that readers can see is a placeholder.'
          : `${formatNumber(placeholders.length)} texts that readers can see are placeholders.`,
      detail: `${nameAll(files)}: write what is true of your site.`,
      // One file is opened at once, at its first line.
      href:
        files.length === 1 ? buildPlaceAddress({ file: files[0] ?? '', line: Number(line ?? 1) }) : attention,
    },
    {
      ...base,
      key: 'prices',
      kind: 'prices',
      level: prices.length,
      text:
        prices.length === 1
          ? 'Prices of 1 product are too old to be shown.'
          : `Prices of ${formatNumber(prices.length)} products are too old to be shown.`,
      detail: `${nameAll(prices.map(({ file }) => file))}: ${CHECK_PRICES}.`,
      href: prices.length === 1 ? buildFileAddress(prices[0]?.file ?? '') : attention,
    },
    {
      ...base,
      key: 'live-pages',
      kind: 'live-pages',
      level: unopened.length,
      text:
        unopened.length === 1
          ? 'Nobody has opened 1 page that figures rest on.'
          : `Nobody has opened ${formatNumber(unopened.length)} pages that figures rest on.`,
      detail: 'Open them, compare, go on to the next. Until then our pages say so.',
      href: buildConsoleAddress('content', {}, { rest: [LIVE_PAGES_VIEW] }),
    },
    {
      ...base,
      key: 'claims',
      kind: 'claims',
      level: stale.length,
      text: `${claims} no fresh source.`,
      detail: `${counts.map(([count, name]) => `${formatNumber(count)} ${name}`).join(', ')}.`,
      href: attention,
    },
  ];
  return tasks.filter(({ level }) => level > 0);
}
