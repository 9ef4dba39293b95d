import { addDays, getLocalDay } from '../../core/commissions/local-time.ts';
import { isChanceOfCounts } from '../../core/commissions/ranges/compare-periods.ts';
import { REDIRECT_PREFIX } from '../../core/paths.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { formatCount, formatDay, formatNumber } from '../reports/format.ts';
import { countDays } from '../reports/range.ts';
import { listSitePages, readPageChanges } from '../reports/site-pages.ts';

const WEEKS = 13;
const DAYS = 28;
/** What begins within as many days of a turn may be its reason. */
const NEAR_DAYS = 7;

interface Counts {
  readonly views: number;
  readonly clicks: number;
}

/** Something that happened to a page or to a partner that it links to. */
export interface PageEvent {
  readonly day: string;
  readonly text: string;
  /** Where the version before it can be put back: of an edit that took out a link to a partner which is still missing. */
  readonly undo?: string;
}

/** A possible reason, with how much is for it: `likely` where all is, `ruled out` where nothing is. */
export interface Reason {
  readonly word: 'likely' | 'possible' | 'ruled out';
  readonly text: string;
  readonly undo?: string | undefined;
}

/** What is compared: a page in 28 days and in those before them, and all other pages together. */
export interface PageCounts {
  readonly now: Counts;
  readonly before: Counts;
  readonly others: { readonly now: Counts; readonly before: Counts };
  /** The first day of the week in which the change began. */
  readonly turn: string;
  readonly events: readonly PageEvent[];
}

const getRate = ({ views, clicks }: Counts) => (views === 0 ? 0 : clicks / views);

/**
 * Orders what may explain that clicks fell, by how much of the fall it explains. The fall is divided exactly into fewer readers
 * and a lower click rate. An event is likely when it is near the turn, the rate fell, and other pages did not fall alike.
 */
export function listReasons({ now, before, others, turn, events }: PageCounts): readonly Reason[] {
  const lost = before.clicks - now.clicks;
  if (lost <= 0) return [];
  const byReaders = (before.views - now.views) * getRate(before);
  const byRate = lost - byReaders;
  const isShared = others.now.clicks < others.before.clicks * (1 - lost / before.clicks / 2);
  const part = (amount: number) =>
    `${formatNumber(Math.max(0, amount))} of the ${formatNumber(lost)} lost clicks`;
  const readers = `${formatCount(now.views, 'reader')} after ${formatNumber(before.views)}`;
  const found = events.map((event): Reason => {
    const isNear = Math.abs(countDays(turn, event.day) - 1) <= NEAR_DAYS;
    const points = [isNear, byRate >= lost / 2, !isShared].filter(Boolean).length;
    const word = points === 3 ? 'likely' : points === 2 && isNear ? 'possible' : 'ruled out';
    const why = isNear ? `near the turn; a lower click rate explains ${part(byRate)}` : 'not near the turn';
    return { word, text: `${formatDay(event.day, turn)}: ${event.text} (${why}).`, undo: event.undo };
  });
  const visits: Reason = {
    word: byReaders >= lost / 2 ? 'likely' : byReaders >= lost / 4 ? 'possible' : 'ruled out',
    text: `Fewer readers: ${readers}, which explains ${part(byReaders)}.`,
  };
  const change =
    others.before.clicks === 0
      ? 'nothing'
      : `${formatCount(others.now.clicks, 'click')} after ${formatNumber(others.before.clicks)}`;
  const season: Reason = {
    word: isShared ? 'likely' : 'ruled out',
    text: `The site or the season: all other pages have ${change}.`,
  };
  const order = ['likely', 'possible', 'ruled out'];
  const rank = ({ word, undo }: Reason) => 2 * order.indexOf(word) + (undo === undefined ? 1 : 0);
  return [...found, visits, season].sort((one, other) => rank(one) - rank(other));
}

/** Links to partners in the text of a content file: their words with the target. */
const LINK = new RegExp(
  String.raw`\[([^\]\n]*)\]\((${REDIRECT_PREFIX}[\w-]+)[^)]*\)|(?:label: *([^,\n]*),\s*)?(partner(?:Link)?: *[\w-]+)`,
  'g',
);

const listLinks = (text: string) =>
  [...text.matchAll(LINK)].map(([, words, path, label, key = '']) => ({
    target: path ?? key,
    words: words ?? label ?? key,
  }));
type Link = ReturnType<typeof listLinks>[number];

/** Whether a content file has a link to a partner, or cannot be read. */
export function leadsToPartner({ platform: { content } }: ConsoleSite, file: string): boolean {
  const known = file === '' ? undefined : content.files?.read(file);
  return known === undefined || !('text' in known) || listLinks(known.text).length > 0;
}

/** The words of the links to partners that a text had and another one does not have any more; new words are no other link. */
export function listLostLinks(before: string, after: string): readonly string[] {
  const left = listLinks(after);
  const remove = (links: readonly Link[], isSame: (one: Link, other: Link) => boolean) =>
    links.filter((link) => {
      const place = left.findIndex((other) => isSame(link, other));
      if (place >= 0) left.splice(place, 1);
      return place < 0;
    });
  const changed = remove(
    listLinks(before),
    (one, other) => one.target === other.target && one.words === other.words,
  );
  return remove(changed, (one, other) => one.target === other.target).map(({ words }) => words);
}

/** What is usual for the weeks before the turn, in 8 of 10 of them; null with fewer than four. */
export function getUsualRange(weeks: readonly number[]) {
  if (weeks.length < 4) return null;
  const mean = weeks.reduce((sum, count) => sum + count, 0) / weeks.length;
  const squares = weeks.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (weeks.length - 1);
  const half = 1.28 * Math.sqrt(Math.max(mean, squares));
  return { low: Math.max(0, Math.floor(mean - half)), high: Math.ceil(mean + half) };
}

/** The week whose clicks differ most from those before it, of the weeks that have four before them. */
function findTurn(series: readonly number[]): number {
  const mean = (list: readonly number[]) =>
    list.reduce((sum, count) => sum + count, 0) / Math.max(1, list.length);
  const getFall = (week: number) =>
    mean(series.slice(Math.max(0, week - 4), week)) - mean(series.slice(week));
  const weeks = series.map((_, week) => week).slice(4);
  return weeks.reduce((best, week) => (getFall(week) > getFall(best) ? week : best), weeks[0] ?? 0);
}

/** Reads the clicks of a page by week, what happened to it, and what may explain a fall; the figures are those of its task. */
export async function readPageChange(site: ConsoleSite, page: string) {
  const { rollups } = site.money;
  const to = addDays(getLocalDay(site.clock.now(), site.settings.TIME_ZONE), -1);
  const since = addDays(to, 1 - 7 * WEEKS);
  const weeks = Array.from({ length: WEEKS }, (_, week) => ({
    from: addDays(since, 7 * week),
    to: addDays(since, 7 * week + 6),
  }));
  const [late, early] = [addDays(to, 1 - DAYS), addDays(to, 1 - 2 * DAYS)];
  const [clicks, own, earlier, places, oldPlaces, events] = await Promise.all([
    rollups.readClicks({ dimension: 'page', keys: [[page]], periods: weeks }),
    rollups.readByKey({ dimension: 'page', from: late, to }),
    rollups.readByKey({ dimension: 'page', from: early, to: addDays(late, -1) }),
    rollups.readByKey({ dimension: 'placement', from: late, to, parts: [{ index: 0, value: page }] }),
    rollups.readByKey({
      dimension: 'placement',
      from: early,
      to: addDays(late, -1),
      parts: [{ index: 0, value: page }],
    }),
    readEvents(site, page, since),
  ]);
  const byWeek = new Map(clicks.map((one) => [one.period, one.clicks]));
  const series = weeks.map((_, week) => byWeek.get(week) ?? 0);
  const sum = (rows: typeof own, isOwn: boolean): Counts => {
    const some = rows.filter(({ key }) => (key[0] === page) === isOwn);
    return {
      views: some.reduce((all, { views }) => all + views, 0),
      clicks: some.reduce((all, one) => all + one.clicks, 0),
    };
  };
  const counts = { now: sum(own, true), before: sum(earlier, true) };
  const others = { now: sum(own, false), before: sum(earlier, false) };
  const isChance = isChanceOfCounts(
    { now: counts.now.clicks, before: counts.before.clicks },
    { now: DAYS, before: DAYS },
  );
  const turned = findTurn(series);
  const turn = weeks[turned]?.from ?? late;
  const countPlaces = (rows: typeof places) =>
    new Map(
      [...Map.groupBy(rows, ({ key }) => key[1] ?? '')].map(([place, list]) => [
        place,
        list.reduce((all, one) => all + one.clicks, 0),
      ]),
    );
  const [now, before] = [countPlaces(places), countPlaces(oldPlaces)];
  const file = listSitePages(site).find(({ path }) => path === page)?.file ?? '';
  return {
    ...counts,
    weeks: weeks.map((week, index) => ({ ...week, clicks: series[index] ?? 0 })),
    usual: getUsualRange(series.slice(0, turned)),
    events,
    /** The file of the page below the content folder; empty for an article of a service. */
    file,
    reasons: isChance ? [] : listReasons({ ...counts, others, turn, events }),
    /** Clicks by place, what changed most first. */
    places: [...new Set([...now.keys(), ...before.keys()])]
      .map((place) => ({ place, now: now.get(place) ?? 0, before: before.get(place) ?? 0 }))
      .sort((one, other) => Math.abs(other.now - other.before) - Math.abs(one.now - one.before)),
  };
}

/** Versions and changes of a page, and what the link watch saw of the partners that its readers click. */
async function readEvents(site: ConsoleSite, page: string, since: string): Promise<readonly PageEvent[]> {
  const zone = site.settings.TIME_ZONE;
  const file = listSitePages(site).find(({ path }) => path === page)?.file ?? '';
  const [versions, records, clicked] = await Promise.all([
    file === '' || !(await site.sessions.hasOperator()) ? [] : site.content.versions.readAll(file),
    site.content.links.readAll(),
    site.money.rollups.readByKey({ dimension: 'placement', from: since, parts: [{ index: 0, value: page }] }),
  ]);
  const content = site.content.read();
  const hosts = [...new Set(clicked.map(({ key }) => key[2] ?? ''))].flatMap((key) => {
    const partner = content.partners.get(key);
    return partner?.watch === undefined ? [] : [{ name: partner.name, hosts: partner.watch.hosts }];
  });
  const links = [...records.values()].flatMap(({ url, state, reason, since: began }) => {
    const partner = hosts.find((one) => one.hosts.some((host) => new URL(url).hostname.endsWith(host)));
    const isBad = state === 'broken' || state === 'changed';
    return partner && isBad
      ? [{ day: getLocalDay(began, zone), text: `a link to ${partner.name} is ${state}: ${reason}` }]
      : [];
  });
  const last = versions[0]?.number ?? 0;
  const texts = last === 0 ? new Map<number, string>() : await site.content.versions.readTexts(file, 0, last);
  const edits = versions.map(({ number, operator, savedAt }): PageEvent => {
    const [day, text] = [getLocalDay(savedAt, zone), `edited by ${operator || 'somebody on the server'}`];
    const before = texts.get(number - 1);
    const lost = before === undefined ? [] : listLostLinks(before, texts.get(number) ?? '');
    if (before === undefined || lost.length === 0) return { day, text };
    const missing = listLostLinks(before, texts.get(last) ?? '');
    const address = { view: 'history', older: String(number - 1), newer: String(number) };
    const words = lost.map((link) => `“${link}”`).join(', ');
    return {
      day,
      text: `${text}, which took out the link ${words}`,
      ...(lost.some((link) => missing.includes(link)) && {
        undo: `${buildFileAddress(file, address)}#compared`,
      }),
    };
  });
  return [...(await readPageChanges(site, page)), ...edits, ...links]
    .filter(({ day }) => day >= since)
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}
