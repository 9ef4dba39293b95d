import { needsAsking } from '../../core/consent/needs-asking.ts';
import { CONSENT_KEY } from '../../core/consent/storage-keys.ts';
import { PRIVACY_PATH, REGION_API_PATH } from '../../core/paths.ts';
import { readStored, writeStored } from '../storage.ts';
import { hasGpc } from './gpc.ts';

const STYLE = `
#consent-bar{position:fixed;inset:auto 0 0 0;z-index:30;
display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:center;justify-content:center;padding:.75rem 1rem;
background:var(--raised);color:var(--ink);border-top:1px solid var(--line-strong);font-size:.9375rem}
#consent-bar p{margin:0;max-width:38rem}
#consent-bar div{display:flex;gap:1rem}
#consent-bar a{color:var(--accent);text-decoration:underline}
#consent-bar button{min-height:2.75rem;min-width:6.5rem;padding:.5rem 1rem;
border:1px solid var(--line-strong);border-radius:.25rem;
background:var(--surface);color:var(--ink);font:inherit;font-weight:600;cursor:pointer}
#consent-bar button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media print{#consent-bar{display:none}}
`;

/**
 * Asks for consent to analytics, in a bar that shifts no content and takes no focus. Both buttons look the same; Escape
 * inside the bar declines. `onChoice` is called once.
 */
function askConsent(onChoice: (isGranted: boolean) => void): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets.push(sheet);
  const bar = document.createElement('section');
  bar.id = 'consent-bar';
  bar.ariaLabel = 'Analytics';
  const choose = (isGranted: boolean) => {
    bar.remove();
    document.documentElement.style.scrollPaddingBottom = '';
    onChoice(isGranted);
  };
  bar.addEventListener('keydown', ({ key }) => key === 'Escape' && choose(false));
  const buttons = document.createElement('div');
  buttons.append(
    buildButton('Decline', () => choose(false)),
    buildButton('Allow', () => choose(true)),
  );
  bar.append(buildQuestion(), buttons);
  document.body.append(bar);
  // An element with the focus must not be hidden by the bar.
  document.documentElement.style.scrollPaddingBottom = `${bar.offsetHeight}px`;
}

function buildQuestion(): HTMLElement {
  const question = document.createElement('p');
  const link = document.createElement('a');
  link.href = PRIVACY_PATH;
  link.textContent = 'What this means';
  question.append('Allow Google Analytics to remember this browser? It shows us which pages help. ', link);
  return question;
}

function buildButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
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

let isGranted = false;

/**
 * Loads Google's tag with everything denied, and hands it the conversions that this site raises from now on. With
 * consent, a click on a link to a partner, which has an id, is `affiliate_redirect` too.
 */
function loadGoogleTag(id: string): void {
  command('consent', 'default', { ...DENIED, wait_for_update: 500 });
  command('js', new Date());
  command('config', id);
  addEventListener('utm_conversion', (event) => {
    const { action, label, value, data } = (event as CustomEvent<Readonly<Record<string, unknown>>>).detail;
    if (typeof action !== 'string') return;
    const parameters = { ...Object(data), event_label: label, value };
    command('event', action, parameters);
    if (isGranted && 'click' in parameters) command('event', 'affiliate_redirect', { ...parameters, action });
  });
  const script = document.createElement('script');
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`;
  document.head.append(script);
}

/** Lets the tag remember the visitor for analytics; advertising stays denied. */
function grantAnalytics(): void {
  isGranted = true;
  command('consent', 'update', { analytics_storage: 'granted' });
}

/** The tag takes a command for one only when it is an `arguments` object; an array means something else to it. */
function command(..._given: readonly unknown[]): void {
  window.dataLayer ??= [];
  window.dataLayer.push(arguments);
}

// Loads the analytics tag that the settings name (`data-ga` of the document) when the page is idle, but not for a
// visitor who sends Global Privacy Control or has declined. The tag may store data only when the visitor has agreed,
// or where no consent is required.
const { ga, consentRegions = '', hasRegionHeader } = document.documentElement.dataset;
const choice = readStored('local', CONSENT_KEY);
if (ga && !hasGpc() && choice !== 'no') whenIdle(() => start(ga));

async function start(measurementId: string): Promise<void> {
  loadGoogleTag(measurementId);
  if (choice === 'yes') return grantAnalytics();
  const region = hasRegionHeader === undefined ? '' : await fetchRegion();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const regions = consentRegions.split(',').filter(Boolean);
  if (!needsAsking(regions, { region, timeZone: timeZone ?? '' })) return grantAnalytics();
  askConsent((isGranted) => {
    writeStored('local', CONSENT_KEY, isGranted ? 'yes' : 'no');
    if (isGranted) grantAnalytics();
  });
}

function whenIdle(work: () => Promise<void>): void {
  const start = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5000 });
    else setTimeout(work, 2000);
  };
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

/** Fetches the visitor's region, which a proxy in front of the site adds to requests; empty when it does not. */
async function fetchRegion(): Promise<string> {
  try {
    const response = await fetch(REGION_API_PATH);
    const { region } = Object(await response.json());
    return typeof region === 'string' ? region : '';
  } catch {
    return '';
  }
}
