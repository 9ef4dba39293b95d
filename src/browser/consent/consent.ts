import { isStorageFreeRegion, needsAsking, parseRegion } from '../../core/consent/needs-asking.ts';
import { ATTRIBUTION_KEY, JOURNEY_KEY } from '../../core/consent/storage-keys.ts';
import { decideStorageMode } from '../../core/consent/storage-mode.ts';
import { EVENTS_API_PATH, PRIVACY_PATH, REGION_API_PATH, VISIT_API_PATH } from '../../core/paths.ts';
import { createId } from '../events/outbox.ts';
import { recordedVisit } from '../events/record-visit.ts';
import { forgetVisit, readChoice, readStoredJson, storeHeld, writeChoice, writeStored } from '../storage.ts';
import { hasGpc } from './gpc.ts';

// The visitor's choices: whether this browser may keep a record of the visit, and whether Google Analytics may remember
// it. Loaded where either is asked, and where the proxy has to be asked for the visitor's region; it has loaded when the
// region is known.

const STYLE = `
#consent-bar{position:fixed;inset:auto 0 0 0;z-index:30;
display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:center;justify-content:center;padding:.75rem 1rem;
background:var(--raised);color:var(--ink);border-top:1px solid var(--line-strong);font-size:.9375rem}
#consent-bar p{margin:0;max-width:44rem}
#consent-bar div{display:flex;flex-wrap:wrap;gap:.75rem 1rem}
#consent-bar label{display:flex;gap:.5rem;align-items:center;min-height:1.5rem}
#consent-bar a{color:var(--accent);text-decoration:underline}
#consent-bar button{min-height:2.75rem;min-width:6.5rem;padding:.5rem 1rem;
border:1px solid var(--line-strong);border-radius:.25rem;
background:var(--surface);color:var(--ink);font:inherit;font-weight:600;cursor:pointer}
#consent-bar button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media print{#consent-bar{display:none}}
`;

/** A refusal is not asked again for six months. */
const REFUSAL_MS = 183 * 86_400_000;

/** What the bar says, from `privacyChoices` of `site.yaml` in the page. */
type Texts = Readonly<
  Record<
    'version' | 'visit' | 'analytics' | 'more' | 'refuse' | 'allow' | 'choose' | 'save' | 'forget',
    string
  >
>;

const { dataset } = document.documentElement;
const { ga, choice: visitVersion, consentRegions = '', hasRegionHeader } = dataset;
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const texts = readTexts();
// The script in the page has read the choice already; earlier versions asked about analytics alone.
const stored = window.choice || (ga === undefined ? '' : readChoice());
const mode = decideStorageMode(dataset, hasGpc(), timeZone, stored);
const isTagAsked = await decideRegion();
const [visitChoice, tagChoice] = readChoices();

if (!hasGpc()) {
  const asksVisit = visitVersion !== undefined && window.held !== undefined && visitChoice === '-';
  const asksTag = ga !== undefined && isTagAsked && tagChoice === '-';
  if (ga && (tagChoice === 'yes' || (!isTagAsked && tagChoice !== 'no'))) whenIdle(() => loadGoogleTag(ga));
  if (texts && (asksVisit || asksTag)) whenIdle(() => ask(texts, 'bar', asksVisit, asksTag));
}
for (const link of document.querySelectorAll('[data-privacy-choices]'))
  link.addEventListener('click', (event) => {
    if (!texts) return;
    event.preventDefault();
    document.querySelector('#consent-bar')?.remove();
    ask(texts, 'footer', visitVersion !== undefined, ga !== undefined)?.focus();
  });

function readTexts(): Texts | null {
  const text = document.querySelector('#privacy-choices')?.textContent;
  return text ? JSON.parse(text) : null;
}

/** Decides by the visitor's region what the time zone leaves open. Returns whether analytics need a question. */
async function decideRegion(): Promise<boolean> {
  const regions = consentRegions.split(',').filter(Boolean);
  const isAsked = (region: string) => needsAsking(regions, { region, timeZone: timeZone ?? '' });
  // A European time zone decides by itself, and so does an empty list.
  const isOpen =
    mode === undefined ||
    (ga && regions.length > 0 && !needsAsking(['EU'], { region: '', timeZone: timeZone ?? '' }));
  if (hasRegionHeader === undefined || !isOpen) return isAsked('');
  // A proxy may name the region with the page itself.
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const named = page?.serverTiming?.find(({ name }) => name === 'region')?.description;
  const { region, isStorageFree } =
    named === undefined
      ? await fetchRegion()
      : { region: parseRegion(named), isStorageFree: isStorageFreeRegion(hasRegionHeader.split(','), named) };
  if (mode === undefined && isStorageFree === false) window.held = undefined;
  return isAsked(String(region ?? ''));
}

/** Fetches the visitor's region, which a proxy in front of the site adds to requests. */
async function fetchRegion(): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(await (await fetch(REGION_API_PATH)).json());
  } catch {
    return {};
  }
}

/** What was chosen for the visit and for the tag: `yes`, `no`, or `-` for a question that is open. */
function readChoices(): readonly [string, string] {
  const [visit = '-', tag = '-', day, version] = stored.split(' ');
  const isOld = day !== undefined && Date.now() - Date.parse(day) > REFUSAL_MS;
  const isOther = version !== undefined && version !== texts?.version;
  const keep = (choice: string) => (isOther || (isOld && choice === 'no') ? '-' : choice || '-');
  return [keep(visit), keep(tag)];
}

/**
 * Asks in a bar that shifts no content and takes no focus by itself. All buttons look the same; Escape inside closes the
 * bar and is no consent. Returns its first button.
 */
function ask(
  words: Texts,
  place: 'bar' | 'footer',
  asksVisit: boolean,
  asksTag: boolean,
): HTMLElement | null {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets.push(sheet);
  const bar = document.createElement('section');
  bar.id = 'consent-bar';
  bar.ariaLabel = document.querySelector('[data-privacy-choices]')?.textContent ?? '';
  // An element with the focus must not be hidden by the bar, and the end of the page can be scrolled above it.
  const leaveRoom = (height: string) => {
    document.documentElement.style.scrollPaddingBottom = height;
    document.body.style.paddingBottom = height;
  };
  const close = () => {
    bar.remove();
    leaveRoom('');
  };
  const session = readSession();
  const forget = asksVisit && session ? buildBox(words.forget) : null;
  const choose = (visit: boolean, tag: boolean) => {
    close();
    const isForgotten = forget?.box.checked === true && !visit;
    void (isForgotten ? deleteVisit(session) : Promise.resolve()).then(() =>
      decide(words, place, asksVisit ? visit : null, asksTag ? tag : null),
    );
  };
  bar.addEventListener(
    'keydown',
    ({ key }) => key === 'Escape' && (place === 'bar' ? choose(false, false) : close()),
  );
  const buttons = document.createElement('div');
  buttons.append(
    buildButton(words.refuse, () => choose(false, false)),
    buildButton(words.allow, () => choose(true, true)),
  );
  const boxes = asksVisit && asksTag ? [words.visit, words.analytics].map(buildBox) : [];
  if (boxes.length > 0) {
    const open = buildButton(words.choose, () => {
      buttons.before(...boxes.map(({ label }) => label));
      question.remove();
      const save = buildButton(words.save, () =>
        choose(boxes[0]?.box.checked === true, boxes[1]?.box.checked === true),
      );
      buttons.replaceChildren(save);
      boxes[0]?.box.focus();
    });
    buttons.append(open);
  }
  const question = buildQuestion(
    [asksVisit && words.visit, asksTag && words.analytics].filter(Boolean).join(' '),
    words.more,
  );
  bar.append(question, ...(forget ? [forget.label] : []), buttons);
  document.body.append(bar);
  leaveRoom(`${bar.offsetHeight}px`);
  return buttons.querySelector('button');
}

function buildQuestion(text: string, more: string): HTMLElement {
  const question = document.createElement('p');
  const link = document.createElement('a');
  link.href = PRIVACY_PATH;
  link.textContent = more;
  question.append(text, ' ', link);
  return question;
}

function buildBox(text: string) {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  label.append(box, text);
  return { label, box };
}

function buildButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
}

/** The random number of the visit that this browser stores; empty without one. */
function readSession(): string {
  return window.held ? '' : String(Object(readStoredJson('session', ATTRIBUTION_KEY)).session ?? '');
}

/** Deletes the visit on the server; without a connection it stays there. */
async function deleteVisit(session: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${VISIT_API_PATH}/delete`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ session }),
  }).catch(() => undefined);
}

/** Carries a choice out; null for what was not asked. */
function decide(words: Texts, place: string, visit: boolean | null, tag: boolean | null): void {
  const name = (choice: boolean | null, before: string) => (choice === null ? before : choice ? 'yes' : 'no');
  const choices = [name(visit, visitChoice), name(tag, tagChoice)];
  writeChoice([...choices, new Date().toISOString().slice(0, 10), words.version].join(' '));
  countChoice(words, place, choices);
  if (visit === true && window.held) beginRecord();
  // What runs already cannot be unloaded, except with the page.
  const isEnded = (visit === false && !window.held) || (tag === false && window.dataLayer !== undefined);
  if (visit === false) forgetVisit('all');
  else if (tag === false) forgetVisit('tag');
  if (isEnded) location.reload();
  else if (tag === true && ga && window.dataLayer === undefined) loadGoogleTag(ga);
}

/**
 * Stores what this page knows of the visit, as the beginning of its record, and follows the visit with that from now on.
 * The page's view stays the one that was sent without a session: it is the visit's arrival.
 */
function beginRecord(): void {
  const known = new URLSearchParams(window.readVisitQuery?.());
  const { path, now, userAgent } = window.readArrival();
  const entryPage = known.get('entry_page') ?? path;
  const campaign = [...known].filter(([name]) => name.startsWith('utm_'));
  storeHeld();
  // The visit script has not loaded yet, and begins the record itself.
  if (!window.visit) return;
  writeStored('session', ATTRIBUTION_KEY, JSON.stringify(Object.fromEntries(campaign)));
  const entryTime = Math.round(now - performance.now());
  const journey = {
    entryPage,
    entryTime,
    pageVisits: [entryPage],
    referrer: known.get('referrer'),
    userAgent,
  };
  writeStored(
    'session',
    JOURNEY_KEY,
    JSON.stringify({ ...Object(readStoredJson('session', JOURNEY_KEY)), ...journey }),
  );
  Object.assign(window.visit, recordedVisit);
  recordedVisit.enter(() => undefined);
}

/** Counts a choice, without a word of who made it. */
function countChoice({ version }: Texts, place: string, [visit, analytics]: readonly string[]): void {
  const event = {
    id: createId(),
    name: 'privacy_choice',
    session: '',
    page: PRIVACY_PATH,
    time: Date.now(),
    free: true,
    data: { visit, analytics, place, version, language: document.documentElement.lang },
  };
  void fetch(EVENTS_API_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events: [event] }),
    keepalive: true,
  }).catch(() => {});
}

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Nothing may be stored or used until the visitor says so (consent mode, version 2). */
const DENIED = {
  ad_storage: 'denied',
  ad_user_data: 'denied',
  ad_personalization: 'denied',
  analytics_storage: 'denied',
} as const;

/**
 * Loads Google's tag for analytics alone (advertising stays denied), and hands it the conversions that this site raises
 * from now on. A click on a link to a partner, which has an id, is `affiliate_redirect` too.
 */
function loadGoogleTag(id: string): void {
  command('consent', 'default', DENIED);
  command('consent', 'update', { analytics_storage: 'granted' });
  command('js', new Date());
  command('config', id);
  addEventListener('utm_conversion', (event) => {
    const { action, label, value, data } = (event as CustomEvent<Readonly<Record<string, unknown>>>).detail;
    if (typeof action !== 'string') return;
    const parameters = { ...Object(data), event_label: label, value };
    command('event', action, parameters);
    if ('click' in parameters) command('event', 'affiliate_redirect', { ...parameters, action });
  });
  const script = document.createElement('script');
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`;
  document.head.append(script);
}

/** The tag takes a command for one only when it is an `arguments` object; an array means something else to it. */
function command(..._given: readonly unknown[]): void {
  window.dataLayer ??= [];
  window.dataLayer.push(arguments);
}

function whenIdle(work: () => void): void {
  const start = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5000 });
    else setTimeout(work, 2000);
  };
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}
