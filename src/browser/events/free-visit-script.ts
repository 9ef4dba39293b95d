import {
  type Campaign,
  hasCampaign,
  parseFreeCampaign,
  readCampaign,
  UTM_PARAMETERS,
} from '../../core/events/campaign.ts';
import { buildLinkQuery, UNKNOWN_VISIT, type Visit } from '../../core/outbound/outbound-link.ts';
import { EVENTS_API_PATH } from '../../core/paths.ts';
import { parsePathText } from '../../core/text/parse-text.ts';
import { hasGpc } from '../consent/gpc.ts';
import { forgetVisit } from '../storage.ts';
import { followVisit } from './follow-visit.ts';

// The visit script of storage-free mode: nothing is stored or read. The first page of a visit, where it came from and
// the plain words of its campaign travel behind the `#` of links inside this site, where no server sees them: they hold
// nothing that differs between two people of one campaign. A link has them while it is pointed at or has the focus, and
// the next page takes them out of its address at once.

/** Longest text behind the `#`, in characters. */
const MAX_CARRIED = 300;
const CARRIED = { s: 'utm_source', m: 'utm_medium', c: 'utm_campaign' } as const;
/** Operators put ids of people into campaign values, which are not carried. */
const LOOKS_LIKE_ID = /@|[\da-f]{16}|\d{9}|[^-\s._+~|,:/()]{24}|.{65}/i;

let visit: Visit = UNKNOWN_VISIT;
let isArrival: boolean | undefined;

/** Reads what is known of the visit: by this page, else by the link to it, else by the page before. */
function readVisit(): void {
  const { path, query, referrer, isShownAgain } = window.readArrival();
  const before = referrer.startsWith(`${location.origin}/`) ? new URL(referrer) : null;
  const carried = new URLSearchParams(before && window.carried ? `e=${window.carried}` : '');
  const own = parseFreeCampaign(query);
  const entry = parsePathText(carried.get('e') ?? '');
  // A page that comes back from the back/forward cache is no arrival.
  isArrival = isArrival === undefined && !entry && !before && !isShownAgain;
  const past = entry ? readCarried(carried) : parseFreeCampaign(before?.search ?? '');
  // The page before is the first one when the campaign is in its address, or a link on it was faster than this script.
  const isBeforeFirst = before && (hasCampaign(past) || !isShownAgain);
  const campaign = hasCampaign(own) ? own : past;
  const origin = entry ? expandOrigin(carried.get('r') ?? '') : before ? '' : readOrigin(referrer);
  visit = {
    ...UNKNOWN_VISIT,
    page: path,
    firstTouch: campaign,
    lastTouch: campaign,
    entryPage: entry || (isBeforeFirst ? before.pathname : before ? '' : path),
    referrer: origin,
  };
}

function readCarried(carried: URLSearchParams): Campaign {
  const given = Object.entries(CARRIED).map(([key, name]) => [name, carried.get(key) ?? '']);
  return readCampaign(
    new URLSearchParams(given.filter(([, value = '']) => !LOOKS_LIKE_ID.test(value))),
    UTM_PARAMETERS,
  );
}

const readOrigin = (address: string) => address.split('/', 3).join('/') || 'direct';
const shortenOrigin = (origin: string) => origin.replace(/^https:\/\//, '');
const expandOrigin = (text: string) =>
  !text || text === 'direct' || text.includes(':') ? text : `https://${text}`;

/** Builds what links carry; empty while the first page is not known. */
function buildCarried(): string {
  const { entryPage, referrer, lastTouch } = visit;
  const carried = new URLSearchParams({ e: entryPage });
  const add = (key: string, value = '') => {
    if (!value || LOOKS_LIKE_ID.test(value)) return;
    carried.set(key, value);
    if (`${carried}`.length > MAX_CARRIED) carried.delete(key);
  };
  if (!hasGpc()) add('r', shortenOrigin(referrer));
  for (const [key, name] of Object.entries(CARRIED)) add(key, lastTouch[name]);
  return entryPage && `${carried}`.length <= MAX_CARRIED ? `~${carried}` : '';
}

/** The addresses of links and forms that carry the visit now, as they were. */
const decorated = new Map<Element, string>();

/** Adds the visit to a link or form that leads to another page of this site. */
function decorate(event: Event): void {
  const target = (event.target as Element).closest?.<HTMLAnchorElement | HTMLFormElement>('a[href],form');
  if (!target || decorated.has(target) || !window.held) return;
  const name = 'href' in target ? 'href' : 'action';
  const text = target.getAttribute(name) ?? '';
  const url = new URL(text, location.href);
  const isPage =
    url.origin === location.origin && !/sponsored/.test(target.rel) && !target.hasAttribute('download');
  // A `#` more would keep the browser on this page.
  const isHere = url.pathname + url.search === location.pathname + location.search;
  if (!isPage || isHere) return;
  const carried = buildCarried();
  if (!carried) return;
  decorated.set(target, text);
  target.setAttribute(name, `${text.replace(/#.*/, '')}#${url.hash.slice(1)}${carried}`);
}

/** Restores every address, so that a copied link carries nothing. */
function restore(): void {
  for (const [target, text] of decorated) target.setAttribute('href' in target ? 'href' : 'action', text);
  decorated.clear();
}

/** Events that the server has not accepted. They live as long as the page, and leave with the next event. */
const unsent = new Set<string>();
const MAX_BATCH = 12;

function post(waiting: readonly string[]): void {
  const entries = waiting.slice(0, MAX_BATCH);
  if (!entries[0]) return;
  for (const entry of entries) unsent.delete(entry);
  const keep = () => {
    for (const entry of entries) unsent.add(entry);
  };
  fetch(EVENTS_API_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"events":[${entries}]}`,
    keepalive: true,
    signal: AbortSignal.timeout?.(10_000),
  }).then(async (response) => {
    // An unread response occupies its connection until the timeout.
    await response.text();
    if (/429|5../.test(`${response.status}`)) keep();
  }, keep);
}

const resume = () => post([...unsent]);

// The signal came after an earlier visit was stored.
if (hasGpc()) forgetVisit('all');

if (document.documentElement.dataset['links'] !== 'none') {
  for (const type of ['pointerover', 'touchstart', 'focusin', 'submit'])
    addEventListener(type, decorate, { capture: true, passive: true });
  for (const type of ['pointerout', 'focusout', 'contextmenu', 'dragstart', 'copy'])
    addEventListener(type, restore, true);
  for (const type of ['click', 'auxclick', 'submit'])
    addEventListener(type, () => void setTimeout(restore), true);
}
addEventListener('pagehide', resume);
/** The server makes the number of the click. Under Global Privacy Control, only page and campaign are sent. */
const addToLink = (query: string) =>
  `${buildLinkQuery(query, hasGpc() ? { ...visit, entryPage: '', referrer: '' } : visit, '')}&free=1`;
window.readVisitQuery = () => addToLink('');

followVisit({
  enter(onView) {
    readVisit();
    const { referrer } = visit;
    onView(window.readArrival(), {
      ...(isArrival && { entry: true, ...(!hasGpc() && { referrer }) }),
    });
  },
  deliver({ label, data: { click: _, ...data } = {}, ...event }) {
    // Label and data of the assessment's events are its answers.
    const content = event.name.startsWith('assessment') ? {} : { label, data };
    post([JSON.stringify({ ...event, ...content, free: true }), ...unsent]);
  },
  resume,
  keep() {},
  read: () => visit,
  addToLink,
});
