import { setTimeout as sleep } from 'node:timers/promises';
import type { KnownLink } from '../../core/outbound/content-updates.ts';
import type { LinkState } from '../../core/outbound/link-state.ts';
import { isCheckable } from '../../core/outbound/watched-links.ts';
import { checkAllLinks } from '../../server/outbound/link-watch.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { type Column, column } from '../reports/columns.ts';
import { readListTable } from '../reports/list.ts';
import { readKnownLinks, readRisk } from './updates.ts';

const LOCATION = buildConsoleAddress('content', {}, { rest: ['links'] });
/** Of one *Check now*. */
const MAX_CHECKED = 200;
/** Between two requests to one host while an operator waits. */
const PAUSE_MS = 1_000;
/** An operator waits so long; then the view shows how far the check is. */
const WAIT_MS = 2_000;

/** A watched link with what is known of it and what its pages, or the clicks to its partner, earned. */
export type LinkRow = Awaited<ReturnType<typeof readLinkRows>>['rows'][number];

/** The states of links as they are named, those that need somebody first. */
export const LINK_STATE_NAMES: Readonly<Record<LinkState, string>> = {
  broken: 'Broken',
  changed: 'Changed',
  inconclusive: 'To check again',
  unchecked: 'Not checked',
  healthy: 'Answered',
};
const ORDER: readonly string[] = Object.keys(LINK_STATE_NAMES);

async function readLinkRows(site: ConsoleSite, known: readonly KnownLink[]) {
  const { rank, currency } = await readRisk(site);
  const { partners } = site.content.read();
  const rows = rank(
    known.map(({ link, record }) => ({
      link,
      record,
      key: link.url,
      state: record?.state ?? ('unchecked' as const),
      partner: link.partner,
      pages: link.pages,
      where: partners.get(link.partner ?? '')?.name ?? link.pages[0] ?? '',
    })),
  );
  return { rows, currency };
}

export const LINK_COLUMNS: readonly Column<LinkRow>[] = [
  column('link', 'Link', ({ key }) => key),
  column('where', 'Where', ({ where }) => where),
  column('state', 'State', ({ state }) => ORDER.indexOf(state)),
  column('since', 'Since', ({ record }) => record?.since ?? null, {
    sort: ({ record }) => record?.since ?? null,
  }),
  column('pages', 'Pages', ({ pages }) => pages.length, { isNumeric: true }),
  column('earned', 'Earned', ({ amount }) => amount, { isNumeric: true }),
];

/** Reads the links of the site with their states, and how far a check of them is. */
export async function readLinks(site: ConsoleSite, request: ViewRequest) {
  const known = await readKnownLinks(site);
  const { rows, currency } = await readLinkRows(site, known);
  const count = (state: LinkState) => rows.filter((row) => row.state === state).length;
  const { linkCheck } = site;
  const asked = new Set(linkCheck.urls);
  const isDone = ({ key, record }: LinkRow) =>
    asked.has(key) && record !== null && record.checkedAt >= linkCheck.since;
  return {
    kind: 'links' as const,
    list: readListTable(rows, LINK_COLUMNS, request, {
      usual: { column: 'state', isDescending: false },
      title: ({ key }) => key,
      words: ({ where, record }) => `${where} ${record?.reason ?? ''}`,
      filter: {
        name: 'state',
        label: 'All states',
        options: Object.entries(LINK_STATE_NAMES),
        has: ({ state }, value) => state === value,
      },
    }),
    counts: ORDER.map((state) => [state as LinkState, count(state as LinkState)] as const),
    currency,
    /** How many of the links that are checked now are done; null when none is. */
    check: linkCheck.urls.length === 0 ? null : { of: asked.size, done: rows.filter(isDone).length },
    /** Why the last check ended early; empty without a reason. */
    problem: linkCheck.problem,
    /** Whether this process can check them while an operator waits. */
    canCheck: site.platform.hasTimers && rows.some(({ link }) => isCheckable(link)),
    now: site.clock.now(),
  };
}

/**
 * Checks links: those that were never checked first, then those that were checked longest ago. Goes on in the background
 * after two seconds.
 */
export async function checkLinksNow(site: ConsoleSite): Promise<ActionOutcome> {
  const { linkCheck, platform, settings, clock, log } = site;
  const finish = (message: string) => ({ location: LOCATION, message, isError: false, note: '' });
  if (!platform.hasTimers) return { ...finish('Links are checked in the background here.'), isError: true };
  if (linkCheck.urls.length > 0) return finish('The links are being checked.');
  const chosen = (await readKnownLinks(site))
    .filter(({ link }) => isCheckable(link))
    .toSorted((one, other) => (one.record?.checkedAt ?? 0) - (other.record?.checkedAt ?? 0))
    .slice(0, MAX_CHECKED)
    .map(({ link }) => link);
  Object.assign(linkCheck, { urls: chosen.map(({ url }) => url), since: clock.now(), problem: '' });
  let isLeft = false;
  const sendLink = platform.createLinkRequests(settings.TEST_HOSTS);
  const { signal } = linkCheck.stopping;
  const work = checkAllLinks({ ...site, sendLink, pauseMs: PAUSE_MS }, chosen, (ms) =>
    sleep(ms, null, { ref: false, signal }),
  )
    .then(
      () => null,
      (error: unknown) => {
        if (!signal.aborted) log.warn('links could not be checked', { error });
        const problem = error instanceof Error ? error.message : 'the check has failed';
        if (isLeft) linkCheck.problem = problem;
        return problem;
      },
    )
    .finally(() => {
      linkCheck.urls = [];
      site.forgetAlerts();
    });
  const problem = await Promise.race([work, sleep(WAIT_MS, undefined, { ref: false })]);
  isLeft = problem === undefined;
  if (isLeft) return finish('The links are being checked. You can leave this page.');
  return problem === null
    ? finish(`${chosen.length} ${chosen.length === 1 ? 'link was' : 'links were'} checked.`)
    : { ...finish(`The links were not checked: ${problem}`), isError: true };
}
