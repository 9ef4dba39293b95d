// npm run -s launch-check: lists what is missing before visitors come, each with the file to edit.
import path from 'node:path';
import { readSettingFaults } from '../../src/runtimes/node/start-site.ts';
import { readLaunchFaults } from '../../src/server/pages/launch.ts';
import { readContent } from '../../src/sources/content/read-content.ts';
import { checkContent } from '../build/check-content.ts';
import { FLAG, parseArguments } from './arguments/parse-arguments.ts';
import { readSettings } from './arguments/read-settings.ts';
import { checkCopy } from './content/check-copy.ts';

const USAGE = `Usage:
  npm run -s launch-check
  npm run -s launch-check -- --strict    warnings end with code 1 as well

Lists what is missing before visitors come, each with the file to edit. Ends with code 1 when there is an error.`;

const { strict } = parseArguments(USAGE, {
  options: { strict: FLAG },
  words: { min: 0, max: 0 },
}).values;
const settingFaults = readSettingFaults();
const config = readSettings(process.env, settingFaults);
const root = path.resolve(config.CONTENT_DIR);
const problem = await checkContent(root, config.ARTICLE_SOURCE === 'files');
if (problem !== null) {
  process.stdout.write(`error    ${problem}\n`);
  process.exit(1);
}
const findings = [
  ...settingFaults,
  ...readLaunchFaults(readContent(root), config, Date.now()),
  ...checkCopy(root)
    .filter(({ kind }) => kind === 'placeholder')
    .map(({ file, text }) => ({ level: 'warning' as const, file, text })),
];
const width = Math.max(0, ...findings.map(({ file }) => file.length));
for (const { level, file, text } of findings) {
  process.stdout.write(`${level.padEnd(8)} ${file.padEnd(width)}  ${text}\n`);
}
const errors = findings.filter(({ level }) => level === 'error').length;
process.stdout.write(
  findings.length === 0
    ? 'Ready to launch.\n'
    : `\n${errors} errors, ${findings.length - errors} warnings. docs/recipes/ explains the files, docs/deployment.md the settings.\n`,
);
process.exitCode = errors > 0 || (strict && findings.length > 0) ? 1 : 0;
