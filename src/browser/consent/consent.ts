import { needsAsking } from '../../core/consent/needs-asking.ts';
import { CONSENT_KEY } from '../../core/consent/storage-keys.ts';
import { REGION_API_PATH } from '../../core/paths.ts';
import { readStored, writeStored } from '../storage.ts';
import { askConsent } from './consent-bar.ts';
import { grantAnalytics, loadGoogleTag } from './google-tag.ts';
import { hasGpc } from './gpc.ts';

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
