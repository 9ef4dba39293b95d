// Saves a page of the folder in argv[2] again and again, each time with another text, until the process is killed.
import { ContentFiles } from '../../src/content-files/content-files.ts';
import { readSaving } from './content-copy.ts';
import { buildLongPage } from './long-page.ts';

const saving = readSaving();

const [, , root = '', first = '0'] = process.argv;
const images = { images: new Map(), origin: 'build' } as const;
const files = new ContentFiles(root, () => images);
for (let version = Number(first); ; version += 1) {
  const opened = files.read('pages/saved.yaml');
  const before = 'hash' in opened ? opened.hash : null;
  const saved = files.save('pages/saved.yaml', buildLongPage(version), before, saving);
  process.stdout.write(`${version} ${'reason' in saved ? saved.reason : saved.outcome}\n`);
}
