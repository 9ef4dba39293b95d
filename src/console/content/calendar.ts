import { planState, readPieceState, readValues } from '../../content-files/edit/plan-state.ts';
import { getLocalDay, getLocalMinute } from '../../core/commissions/local-time.ts';
import { CLAIM_MAX_AGE_DAYS } from '../../core/pages/claims/claims.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { CONSOLE_HEADERS } from '../http.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { addDays } from '../reports/range.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { READ_ONLY_BUILD } from './drafts.ts';
import { buildFileAddress } from './file-address.ts';
import { readUndo, saveTexts } from './line-changes.ts';
import { PRICES_VIEW } from './prices.ts';
import { findFolderProblem } from './read-file.ts';
import { listPagesUsing, readRisk } from './updates.ts';
import { openContentFiles, readPlanTime, readWrittenFiles } from './written-files.ts';

export const CALENDAR_VIEW = 'calendar';
/** The part of the address that has the calendar as a file. */
export const CALENDAR_FILE = 'calendar.ics';
const LOCATION = buildConsoleAddress('content', {}, { rest: [CALENDAR_VIEW] });
const MONTHS = 2;
/** A piece whose facts nobody has compared with their sources for so long is old. */
const PIECE_MAX_AGE_DAYS = 365;
/** What gets old within so many days is listed. */
const AHEAD_DAYS = 180;

/** Reads the months with what is scheduled, the drafts, and what gets old, by the month in which it does. */
export async function readCalendar(site: ConsoleSite, request: ViewRequest) {
  const { clock, settings } = site;
  const today = getLocalDay(clock.now(), settings.TIME_ZONE);
  const asked = /^\d{4}-(?:0[1-9]|1[0-2])$/.exec(request.parameters.get('month') ?? '')?.[0];
  const first = asked ?? today.slice(0, 7);
  const pieces = listUnpublished(site);
  const months = Array.from({ length: MONTHS }, (_, index) => addMonths(first, index));
  return {
    kind: 'calendar' as const,
    today,
    months: months.map((month) => ({ month, weeks: listWeeks(month, request.query.weekStart) })),
    scheduled: pieces.filter(({ day }) => day !== ''),
    drafts: pieces.filter(({ day }) => day === ''),
    ...{ previous: addMonths(first, -MONTHS), next: addMonths(first, MONTHS) },
    ...(await readAging(site, today)),
    undo: await readUndo(site, request),
    readOnly: await findFolderProblem(site),
  };
}

/** Articles and pages that visitors do not see yet; `at` is in ms since 1970, null for drafts. */
function listUnpublished(site: ConsoleSite) {
  const time = readPlanTime(site);
  return readWrittenFiles(site).flatMap(({ file, text }) => {
    const state = /^(?:articles|pages)\//.test(file) ? readPieceState(file, text, time) : null;
    if (state === null || state.state === 'published') return [];
    const at = state.state === 'scheduled' ? state.time : null;
    const minute = at === null ? '' : getLocalMinute(at, time.timeZone);
    const title = String(readValues(file, text)?.['title'] ?? file);
    return [{ file, title, at, day: minute.slice(0, 10), time: minute.slice(11) }];
  });
}

/**
 * Responds with what is planned and what gets old as a file of a calendar (iCalendar). Without amounts: a copy of it leaves
 * the console.
 */
export async function exportCalendar(site: ConsoleSite): Promise<Response> {
  const { clock, settings } = site;
  const write = (time: number) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');
  const { aging } = await readAging(site, getLocalDay(clock.now(), settings.TIME_ZONE));
  const events = [
    ...listUnpublished(site).flatMap(({ file, title, at }) =>
      at === null ? [] : [{ key: file, title, start: `:${write(at)}`, href: buildFileAddress(file) }],
    ),
    ...aging.flatMap(([, rows]) =>
      rows.map(({ key, sort, title, day, href }) => {
        const start = `;VALUE=DATE:${day.replaceAll('-', '')}`;
        return { key, title: `${title}: ${sort.toLowerCase()} too old`, start, href };
      }),
    ),
  ];
  const lines = events.flatMap(({ key, title, start, href }) => [
    'BEGIN:VEVENT',
    `UID:${encodeURIComponent(key)}@${new URL(settings.siteUrl).host}`,
    `DTSTAMP:${write(clock.now())}`,
    `DTSTART${start}`,
    `SUMMARY:${title.replace(/[\\;,]/g, '\\$&').replace(/\s+/g, ' ')}`,
    `URL:${settings.siteUrl}${href}`,
    'END:VEVENT',
  ]);
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Signpost//EN', ...lines, 'END:VCALENDAR', ''];
  // A line has at most 75 bytes: 18 characters of any alphabet.
  const body = all.map((line) => line.replace(/.{18}(?=.)/gu, '$&\r\n ')).join('\r\n');
  const headers = { 'content-disposition': 'attachment; filename="calendar.ics"' };
  return new Response(body, {
    headers: { ...CONSOLE_HEADERS, ...headers, 'content-type': 'text/calendar; charset=utf-8' },
  });
}

function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** The weeks of a month, seven days each; empty texts are days of other months. */
function listWeeks(month: string, start: 'monday' | 'sunday'): readonly (readonly string[])[] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const lead = (first.getUTCDay() + (start === 'monday' ? 6 : 0)) % 7;
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return Array.from({ length: Math.ceil((lead + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const day = week * 7 + weekday - lead + 1;
      return day < 1 || day > count ? '' : `${month}-${String(day).padStart(2, '0')}`;
    }),
  );
}

/** Reads what gets old until some months from now, with the clicks and the money that depend on it. */
async function readAging(site: ConsoleSite, today: string) {
  const { products, claims } = site.content.read();
  const written = readWrittenFiles(site);
  const pages = listSitePages(site);
  const paths = new Map(pages.map(({ file, path }) => [file, path]));
  const base = { partner: null };
  const prices = [...products.values()].flatMap((product) => {
    const days = product.offers.flatMap(({ source }) => (source?.checked ? [source.checked] : [])).sort();
    const [oldest] = days;
    if (oldest === undefined) return [];
    const used = listPagesUsing(`products/${product.key}.yaml`, written, paths);
    const href = buildConsoleAddress('content', {}, { rest: [PRICES_VIEW] });
    const day = addDays(oldest, product.maxAgeDays + 1);
    const named = { key: `price ${product.key}`, sort: 'Prices', title: product.name };
    return [{ ...base, ...named, day, href, pages: used }];
  });
  const { uses, files } = site.platform.content.readClaimUses(claims);
  const stated = [...claims].flatMap(([key, { checked, figure, wording }]) => {
    if (checked === undefined) return [];
    const used = (uses.get(key) ?? []).flatMap((place) => paths.get(place.split(',', 1)[0] ?? '') ?? []);
    const file = files.get(key);
    const href = file === undefined ? '' : buildFileAddress(file, { at: key });
    const day = addDays(checked, CLAIM_MAX_AGE_DAYS + 1);
    const named = { key: `claim ${key}`, sort: 'Claim', title: `${figure} ${wording}` };
    return [{ ...base, ...named, day, href, pages: [...new Set(used)] }];
  });
  const texts = new Map(written.map(({ file, text }) => [file, text]));
  const pieces = pages.flatMap(({ file, path, title }) => {
    const text = /^(?:articles|pages)\//.test(file) ? texts.get(file) : undefined;
    const day = text === undefined ? '' : findLastDay(text);
    if (day === '') return [];
    const due = addDays(day, PIECE_MAX_AGE_DAYS + 1);
    const named = { key: `piece ${file}`, sort: 'Piece', title };
    return [{ ...base, ...named, day: due, href: buildFileAddress(file), pages: [path] }];
  });
  const { rank, currency } = await readRisk(site);
  const end = addDays(today, AHEAD_DAYS);
  const aging = rank([...prices, ...stated, ...pieces].filter(({ day }) => day <= end));
  const groups = Map.groupBy(aging, ({ day }) => (day <= today ? '' : day.slice(0, 7)));
  return { currency, aging: [...groups].sort(([one], [other]) => (one < other ? -1 : 1)) };
}

/** The last day that the head of a piece names: that of its check, update or publication. */
const findLastDay = (text: string) =>
  [
    ...text.matchAll(
      /^(?:updatedAt|publishedAt|updated): *["']?(\d{4}-\d\d-\d\d)|^checked: *\{? *\n? *date: *["']?(\d{4}-\d\d-\d\d)/gm,
    ),
  ]
    .map(([, day, checked]) => day ?? checked ?? '')
    .sort()
    .at(-1) ?? '';

/** Moves a piece that is scheduled, or a draft, to another day at its time. */
export async function moveDate(
  site: ConsoleSite,
  { file, day }: { readonly file: string; readonly day: string },
  { viewer, parameters }: ViewRequest,
): Promise<ActionOutcome> {
  const location = LOCATION + (parameters.size === 0 ? '' : `?${parameters}`);
  const refuse = (problem: string) => ({
    location,
    message: `Nothing was changed. ${problem}`,
    isError: true,
  });
  const read = openContentFiles(site).read(file);
  if (site.platform.content.files === null) return refuse(READ_ONLY_BUILD);
  if ('problem' in read) return refuse(`content/${file} ${read.problem}.`);
  const state = readPieceState(file, read.text, readPlanTime(site));
  if (state === null || !state.hasTime || state.state === 'published')
    return refuse('Only what visitors do not see yet can be moved.');
  const hour = state.proposed.slice(11);
  const stated = planState(file, read.text, { kind: 'schedule', at: `${day}T${hour}` }, readPlanTime(site));
  if ('problem' in stated) return refuse(stated.problem);
  return saveTexts(site, new Map([[file, stated.text]]), { message: stated.message, location, viewer });
}
