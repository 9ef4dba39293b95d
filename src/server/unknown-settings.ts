import { findNearest } from '../core/text/find-nearest.ts';
import { SETTINGS } from './settings.ts';

const KNOWN: ReadonlySet<string> = new Set(SETTINGS);

/** Names that other programs read from the environment, and that `.env` may have for them. */
const OTHERS: ReadonlySet<string> = new Set(
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY TZ LANG PATH CHROMIUM_PATH FIREFOX_PATH UV_THREADPOOL_SIZE'.split(
    ' ',
  ),
);
const OTHER_PREFIX = /^(?:NODE|NPM|COMPOSE|DOCKER|CLOUDFLARE|WRANGLER|ASTRO)_/i;

/** From this length on, two changes make no other word of a name. */
const LONG_NAME = 12;

/** Whether a program other than the site reads this name. */
export function isForeignName(name: string): boolean {
  return OTHERS.has(name.toUpperCase()) || OTHER_PREFIX.test(name);
}

/** Finds the setting that a file means by an unknown name; null when none is near. */
export function findMeantSetting(name: string): string | null {
  // `set PORT`, `- PORT`, `$env:PORT` and `smtp-host` mean what follows, in capitals.
  const word = (name.split(/[\s:]+/).at(-1) ?? '').toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  if (KNOWN.has(word)) return word;
  const longer = SETTINGS.filter((setting) => word.length >= 4 && setting.startsWith(word));
  if (longer.length === 1) return longer[0] ?? null;
  const shorter = SETTINGS.filter((setting) => word.startsWith(setting));
  const longest = shorter.sort((a, b) => b.length - a.length)[0];
  return longest ?? findNearest(word, SETTINGS, Math.max(2, Math.floor(word.length / 4)));
}

/**
 * Lists the names of an environment that differ so little from a setting that they are mistyped. An environment has the
 * variables of other programs too, so names of a single word, such as `HOST` and `HOME`, are not compared.
 */
export function listMistypedNames(names: readonly string[]): { name: string; meant: string }[] {
  const compared = SETTINGS.filter((setting) => setting.includes('_'));
  return names.flatMap((name) => {
    if (KNOWN.has(name) || !name.includes('_')) return [];
    const meant = findNearest(name, compared, name.length >= LONG_NAME ? 2 : 1);
    return meant === null ? [] : [{ name, meant }];
  });
}

/** `meant`: the setting that was probably meant. */
export function describeUnknown(name: string, meant: string | null): string {
  return `${name} is not a setting. ${meant === null ? '.env.example lists all settings.' : `Did you mean ${meant}?`}`;
}

export function isSetting(name: string): boolean {
  return KNOWN.has(name);
}
