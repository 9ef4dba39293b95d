// Saves a page of the folder in argv[2] again and again, each time with another text, until the process is killed.
import { ContentFiles } from '../../src/content-files/content-files.ts';
import { buildLongPage } from './long-page.ts';

const [, , root = '', first = '0'] = process.argv;
const images = { images: new Map(), origin: 'build' } as const;
const files = new ContentFiles(root, () => images);
for (let version = Number(first); ; version += 1) {
  const opened = files.read('pages/saved.yaml');
  const saved = files.save('pages/saved.yaml', buildLongPage(version), {
    opened: 'hash' in opened ? opened.hash : null,
    hasArticleFiles: false,
  });
  process.stdout.write(`${version} ${'reason' in saved ? saved.reason : saved.outcome}\n`);
}
