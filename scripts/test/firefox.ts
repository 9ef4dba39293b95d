import { findPrograms, installPackages, isRunningBrowser } from './install-browser.ts';

const NAMES = ['firefox-esr', 'firefox'];

/** Paths of every Firefox on this machine, best first: FIREFOX_PATH alone when it is set, else those of the system. */
export function findFirefoxes(): string[] {
  const configured = process.env['FIREFOX_PATH'];
  return configured ? [configured] : findPrograms(NAMES);
}

/**
 * Path of a Firefox that runs. Installs the package of Debian if it is missing, for root on Debian. Throws with
 * instructions when it cannot be installed.
 */
export function ensureFirefox(): string {
  const installed = findFirefoxes().find(isRunningBrowser);
  if (installed) return installed;
  const configured = process.env['FIREFOX_PATH'];
  if (configured) throw new Error(`FIREFOX_PATH is ${configured}, which does not run as a browser.`);
  console.log('No Firefox found; installing one …');
  installPackages('firefox-esr');
  const packaged = findFirefoxes().find(isRunningBrowser);
  if (packaged) return packaged;
  throw new Error(
    'Firefox is missing and could not be installed. Install one (on Debian: apt-get install firefox-esr; ' +
      'elsewhere: from mozilla.org), or set FIREFOX_PATH to the path of yours.',
  );
}
