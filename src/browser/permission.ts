import { needsAsking } from '../core/consent/needs-asking.ts';
import { askConsent } from './consent-bar.ts';
import { grantAnalytics, loadGoogleTag } from './google-tag.ts';
import { keepText, readKept } from './kept-text.ts';
import { hasPrivacySignal } from './privacy-signal.ts';

const ANSWER = 'analytics-answer';

/**
 * Starts the analytics tag that the settings name (`data-ga` of the document) when the page has nothing else to
 * do. Never for a visitor who asks for privacy or has declined; with memory only where nobody has to be asked,
 * or the visitor agreed.
 */
export function startPermission(): void {
  const { ga, consentRegions = '', regionTold } = document.documentElement.dataset;
  const known = readKept(ANSWER);
  if (!ga || hasPrivacySignal() || known === 'no') return;
  whenIdle(async () => {
    loadGoogleTag(ga);
    if (known === 'yes') return grantAnalytics();
    const region = regionTold === undefined ? '' : await readRegion();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const regions = consentRegions.split(',').filter(Boolean);
    if (!needsAsking(regions, { region, timeZone: timeZone ?? '' })) return grantAnalytics();
    askConsent((isGranted) => {
      keepText(ANSWER, isGranted ? 'yes' : 'no');
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
