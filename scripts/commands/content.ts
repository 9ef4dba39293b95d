// npm run content: checks every content file, as a build and a start do, and lists texts that are still to be written.
import path from 'node:path';
import { checkContent } from '../build/check-content.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { readSettings } from './arguments/read-settings.ts';
import { checkCopy } from './content/check-copy.ts';

const USAGE = `Usage:
  npm run content
  npm run content -- --style    lists words that the shipped content avoids, too

Checks every content file, as a build and a start do, and lists texts that are still to be written. Ends with code 1 when
there is one, or an invalid file.`;

const { style } = parseArguments(USAGE, {
  options: { style: { type: 'boolean' } },
  words: { min: 0, max: 0 },
}).values;
// Other settings may be invalid, or need secrets that are not on this machine.
const { CONTENT_DIR } = readSettings({ CONTENT_DIR: process.env['CONTENT_DIR'] });
const root = path.resolve(CONTENT_DIR);
const name = path.relative(process.cwd(), root) || '.';
const hasArticleFiles = ['', 'files'].includes((process.env['ARTICLE_SOURCE'] ?? '').trim());
const problem = await checkContent(root, hasArticleFiles);
const faults = checkCopy(root).filter(({ kind }) => style === true || kind === 'placeholder');
if (problem !== null) process.stdout.write(`${problem}\n`);
if (faults.length > 0) {
  const lines = faults.map(({ file, text }) => `  ${file} ${text}`);
  process.stdout.write(`[copy] ${faults.length} to rewrite:\n${lines.join('\n')}\n`);
}
if (problem === null && faults.length === 0) process.stdout.write(`All files in ${name} are valid.\n`);
process.exit(problem === null && faults.length === 0 ? 0 : 1);
