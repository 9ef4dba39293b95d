import path from 'node:path';
import { checkContent } from './check-content.ts';

const root = path.resolve(process.env['CONTENT_DIR'] ?? path.join(import.meta.dirname, '../content'));
const wrong = checkContent(root);
process.stdout.write(
  `${wrong ?? `Everything in ${path.relative(process.cwd(), root) || '.'} is as it should be.`}\n`,
);
process.exit(wrong === null ? 0 : 1);
