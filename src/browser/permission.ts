import { needsAsking } from '../core/consent/needs-asking.ts';
import { askConsent } from './consent-bar.ts';
import { grantAnalytics, loadGoogleTag } from './google-tag.ts';

const ANSWER = 'analytics-answer';

// Nothing here is shared with the tracker: a shared part would be one more request of every page.

/**
 * Starts the analytics tag that the settings name (`data-ga` of the document) when the page has nothing else to
 * do. Never for a visitor who asks for privacy or has declined; with memory only where nobody has to be asked,
 * or the visitor agreed.
 */
export function startPermission(): void {
  const { ga, consentRegions = '', regionTold } = document.documentElement.dataset;
  const known = readAnswer();
  if (!ga || navigator.globalPrivacyControl || known === 'no') return;
  whenIdle(async () => {
    loadGoogleTag(ga);
    if (known === 'yes') return grantAnalytics();
    const region = regionTold === undefined ? '' : await readRegion();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const regions = consentRegions.split(',').filter(Boolean);
    if (!needsAsking(regions, { region, timeZone: timeZone ?? '' })) return grantAnalytics();
    askConsent((isGranted) => {
      keepAnswer(isGranted ? 'yes' : 'no');
      if (isGranted) grantAnalytics();
    });
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

/** The visitor's region as a proxy in front of the site tells it; empty when it does not. */
async function readRegion(): Promise<string> {
  try {
    const answer = await fetch('/api/region');
    const { region } = Object(await answer.json());
    return typeof region === 'string' ? region : '';
  } catch {
    return '';
  }
}

function readAnswer(): string {
  try {
    return localStorage.getItem(ANSWER) ?? '';
  } catch {
    return '';
  }
}

function keepAnswer(answer: string): void {
  try {
    localStorage.setItem(ANSWER, answer);
  } catch {
    // Then the question comes again with the next page.
  }
}
