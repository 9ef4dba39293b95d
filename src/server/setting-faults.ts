import { parseEnv } from 'node:util';
import { SECRET_NAME } from '../core/commissions/networks/network.schema.ts';
import type { LaunchFinding } from '../core/pages/launch-report.ts';
import { findNearest } from '../core/text/words.ts';
import removedSettings from './removed-settings.json' with { type: 'json' };
import { SETTINGS } from './settings.ts';

/** What is written as a setting and has no effect, or another one than it seems to have. */
export interface SettingFault extends LaunchFinding {
  /** `.env line 3`, or `environment`. */
  readonly file: string;
}

/**
 * Lists settings that are written but not read as they were meant. `envText`: the text of `.env`, null without one;
 * `environment`: the variables of the process, those of the file included.
 */
export function findSettingFaults(
  envText: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): readonly SettingFault[] {
  const inFile = envText === null ? {} : parseEnv(envText);
  const others = Object.keys(environment).filter((name) => !(name in inFile));
  return [
    ...(envText === null ? [] : checkFile(envText, inFile)),
    ...others.flatMap((name) => checkRemoved(name, environment[name] ?? '', 'environment')),
    ...listMistypedNames(others).map(({ name, meant }) =>
      // Another program may read a variable of the environment.
      fault('warning', 'environment', describeUnknown(name, meant)),
    ),
  ];
}

/** Lists unknown names where every name has to be a setting, such as `vars` of a worker. Settings that still apply are known. */
export function listUnknownSettings(names: readonly string[]): string[] {
  return names
    .filter((name) => !KNOWN.has(name) && REMOVED.get(name)?.value !== null && !isNetworkSecret(name))
    .map((name) => {
      const removed = REMOVED.get(name);
      return removed === undefined
        ? describeUnknown(name, findMeantSetting(name))
        : describeRemoved(name, removed);
    });
}

/** Says of each setting of an earlier version that still applies what is written instead. */
export function listFormerSettings(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const removed = REMOVED.get(name);
    return removed?.value === null ? [describeRemoved(name, removed)] : [];
  });
}

const fault = (level: SettingFault['level'], file: string, text: string): SettingFault => ({
  level,
  file,
  text,
});

function checkFile(text: string, values: NodeJS.Dict<string>): SettingFault[] {
  const lines = text.split(/\r?\n/);
  // A value in quotation marks may have several lines; they set nothing.
  const inside = new Set(Object.values(values).flatMap((value) => value?.split(/\r?\n/).slice(1) ?? []));
  const seen = new Map<string, number>();
  return lines.flatMap((line, index): SettingFault[] => {
    if (/^\s*(?:#|$)/.test(line) || inside.has(line)) return [];
    const file = `.env line ${index + 1}`;
    const [, name = '', raw = ''] = /^\s*(?:export\s+)?([^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === '') return [fault('error', file, `${shorten(line)} sets nothing: write NAME=value.`)];
    const first = seen.get(name);
    seen.set(name, index + 1);
    return [
      ...checkName(name, values[name] ?? '', file),
      ...(first === undefined ? [] : [`${name} is already set in line ${first}; this line applies.`])
        .concat(checkValue(name, raw, values[name] ?? ''))
        .map((text) => fault('error', file, text)),
    ];
  });
}

function checkName(name: string, value: string, file: string): SettingFault[] {
  if (KNOWN.has(name) || isForeignName(name) || isNetworkSecret(name)) return [];
  if (REMOVED.has(name)) return checkRemoved(name, value, file);
  const meant = findMeantSetting(name);
  return [fault(meant === null ? 'warning' : 'error', file, describeUnknown(name, meant))];
}

/** A removed setting that applies, or asks for what holds anyway, may stay until the file is edited. */
function checkRemoved(name: string, value: string, file: string): SettingFault[] {
  const removed = REMOVED.get(name);
  if (removed === undefined || value.trim() === '') return [];
  const level = removed.value === null || value.trim() === removed.value ? 'warning' : 'error';
  return [fault(level, file, describeRemoved(name, removed))];
}

/** `raw`: what the line has after the equals sign; `value`: what is read of it. */
function checkValue(name: string, raw: string, value: string): string[] {
  const quote = /^["'`“”„‘’«]/.exec(raw)?.[0];
  if (quote === undefined) {
    return /[^\s]#/.test(raw)
      ? [`${name} ends before the first #: put the value in quotation marks ("…") if # is part of it.`]
      : [];
  }
  if (!['"', "'", '`'].includes(quote))
    return [`${name} begins with ${quote}, which is part of the value: use straight quotation marks (").`];
  return value.includes('\n') || value.startsWith(quote)
    ? [`${name} has an opening ${quote} without a closing one on its line.`]
    : [];
}

/** The first word of a line; the rest may be a secret. */
const shorten = (line: string) => `"${/^[^\s:=]{0,40}/.exec(line.trim())?.[0] ?? ''} …"`;

const KNOWN: ReadonlySet<string> = new Set(SETTINGS);

interface RemovedSetting {
  /** What it was when it was not set; null: a value still applies. */
  readonly value: string | null;
  /** What holds or is written instead. */
  readonly instead: string;
}

/** Settings of earlier versions. */
export const REMOVED: ReadonlyMap<string, RemovedSetting> = new Map(Object.entries(removedSettings));

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
function isForeignName(name: string): boolean {
  return OTHERS.has(name.toUpperCase()) || OTHER_PREFIX.test(name);
}

/** Whether a name can be that of a network's secret, and is no setting with a wrong letter. */
const isNetworkSecret = (name: string) =>
  SECRET_NAME.test(name) && !REMOVED.has(name) && findNearest(name, SETTINGS, 2) === null;

function findMeantSetting(name: string): string | null {
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
function listMistypedNames(names: readonly string[]): { name: string; meant: string }[] {
  const compared = SETTINGS.filter((setting) => setting.includes('_'));
  return names.flatMap((name) => {
    if (KNOWN.has(name) || REMOVED.has(name) || !name.includes('_')) return [];
    const meant = findNearest(name, compared, name.length >= LONG_NAME ? 2 : 1);
    return meant === null ? [] : [{ name, meant }];
  });
}

/** `meant`: the setting that was probably meant. */
function describeUnknown(name: string, meant: string | null): string {
  return `${name} is not a setting. ${meant === null ? '.env.example lists all settings.' : `Did you mean ${meant}?`}`;
}

function describeRemoved(name: string, { value, instead }: RemovedSetting): string {
  return `${name} ${value === null ? 'still applies, but is a former setting' : 'is not a setting any more'}: ${instead}.`;
}
