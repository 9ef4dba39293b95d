// npm run content: checks every content file, as a build and a start do, and its copy.
import path from 'node:path';
import { checkContent } from '../build/check-content.ts';
import { checkCopy } from './content/check-copy.ts';

const root = path.resolve(process.env['CONTENT_DIR'] ?? path.join(import.meta.dirname, '../../content'));
const name = path.relative(process.cwd(), root) || '.';
const hasArticleFiles = ['', 'files'].includes((process.env['ARTICLE_SOURCE'] ?? '').trim());
const problem = await checkContent(root, hasArticleFiles);
const faults = checkCopy(root);
if (problem !== null) process.stdout.write(`${problem}\n`);
if (faults.length > 0) {
  const lines = faults.map((fault) => `  ${fault}`);
  process.stdout.write(`[copy] ${faults.length} to rewrite:\n${lines.join('\n')}\n`);
}
if (problem === null && faults.length === 0) process.stdout.write(`All files in ${name} are valid.\n`);
process.exit(problem === null && faults.length === 0 ? 0 : 1);
