import { ensureBrowser, findPrograms, installPackages } from './install-browser.ts';

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
  return ensureBrowser({
    name: 'Firefox',
    setting: 'FIREFOX_PATH',
    find: findFirefoxes,
    installers: [() => installPackages('firefox-esr')],
    advice: 'on Debian: apt-get install firefox-esr; elsewhere: from mozilla.org',
  });
}
