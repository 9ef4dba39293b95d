// npm run content: checks every content file, as a build and a start do.
import path from 'node:path';
import { checkContent } from '../build/check-content.ts';

const root = path.resolve(process.env['CONTENT_DIR'] ?? path.join(import.meta.dirname, '../../content'));
const problem = await checkContent(root);
process.stdout.write(
  `${problem ?? `All files in ${path.relative(process.cwd(), root) || '.'} are valid.`}\n`,
);
process.exit(problem === null ? 0 : 1);
