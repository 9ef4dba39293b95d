import { parseEnv } from 'node:util';
import type { LaunchFinding } from '../core/pages/launch-report.ts';
import {
  describeUnknown,
  findMeantSetting,
  isForeignName,
  isSetting,
  listMistypedNames,
} from './unknown-settings.ts';

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
    ...listMistypedNames(others).map(({ name, meant }) =>
      // Another program may read a variable of the environment.
      fault('warning', 'environment', describeUnknown(name, meant)),
    ),
  ];
}

/** Lists unknown names where every name has to be a setting, such as `vars` of a worker. */
export function listUnknownSettings(names: readonly string[]): string[] {
  return names
    .filter((name) => !isSetting(name))
    .map((name) => describeUnknown(name, findMeantSetting(name)));
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
      ...checkName(name).map(({ level, text }) => fault(level, file, text)),
      ...(first === undefined ? [] : [`${name} is already set in line ${first}; this line applies.`])
        .concat(checkValue(name, raw, values[name] ?? ''))
        .map((text) => fault('error', file, text)),
    ];
  });
}

function checkName(name: string): Pick<SettingFault, 'level' | 'text'>[] {
  if (isSetting(name) || isForeignName(name)) return [];
  const meant = findMeantSetting(name);
  return [{ level: meant === null ? 'warning' : 'error', text: describeUnknown(name, meant) }];
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
