import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildWxr } from '../../test/support/build-wxr.ts';
import { readSaving } from '../../test/support/content-copy.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { forAll } from '../../test/support/for-all.ts';
import { writeSentFile } from '../../test/support/store-file.ts';
import { createSiteFolder } from '../commands/new.ts';
import { readArticleFiles } from '../content-files/articles/read-article-files.ts';
import { buildImageCatalog, readContentImages } from '../content-files/check-image.ts';
import { ContentFiles } from '../content-files/content-files.ts';
import { ContentJournal } from '../content-files/journal.ts';
import { readContent } from '../content-files/read-content.ts';
import { buildConsolePath, buildDefaultPath, parseConsolePath, parsePath } from '../core/paths.ts';
import { parseFormerSettings } from './former-settings.ts';
import { openMedia } from './media.ts';
import { prepareMoveIn } from './move-site.ts';
import { openWxr } from './wordpress-export.ts';

const saving = readSaving();

const WORDS =
  'größe-é cafe\u0301 写真 まとめ 고객 что-такое مرحبا می\u200cخواهم क्या-है ทำเงิน 🚀 👩‍💻 ＡＢＣ ﬁn __proto__ constructor index topic tag CON a.b İstanbul ß'.split(
    ' ',
  );

/** Names of posts in several alphabets and forms of normalization, short and long. */
const names = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join('-'))
  .chain((name) =>
    fc.record({
      name: fc.constantFrom(name, name.repeat(20), name.repeat(90)),
      form: fc.constantFrom('NFC', 'NFD', 'NFKC', ''),
      isEncoded: fc.boolean(),
    }),
  )
  .map(({ name, form, isEncoded }) => {
    const text = form === '' ? name : name.normalize(form).slice(0, 300).toWellFormed();
    return isEncoded ? encodeURIComponent(text.toWellFormed()) : text;
  });

/** The image of the article of an empty site. */
const IMAGES = {
  images: new Map([
    ['articles/how-we-choose.svg', { src: '/images/x.svg', width: 1, height: 1, sources: [] }],
  ]),
  origin: 'build',
} as const;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"><path d="M0 0h3v3z"/></svg>';

/** Moves posts with an image each in; returns the content folder. */
async function move(slugs: readonly string[], images: readonly string[] = []) {
  const folder = createFolder();
  const contentDir = path.join(folder, 'content');
  const uploads = path.join(folder, 'uploads');
  createSiteFolder({ name: 'Site', folder: contentDir, day: '2026-01-05' });
  mkdirSync(uploads);
  for (const name of images) writeFileSync(path.join(uploads, name), SVG);
  const items = slugs.map((slug, at) => ({
    id: at + 1,
    slug,
    title: `Title ${at}`,
    link: `https://old.example/${encodeURIComponent(slug)}/`,
    content: `<p>Words.</p>${images.map((name) => `<img src="/wp-content/uploads/${encodeURIComponent(name)}" alt="x">`).join('')}`,
  }));
  const parsed = parseFormerSettings({ prefixes: '', bases: '', amazon: '' });
  if ('problem' in parsed) throw new Error(parsed.problem);
  const prepared = await prepareMoveIn({
    site: openWxr(writeSentFile('x.xml', buildWxr(items))),
    name: 'wordpress',
    contentDir,
    journal: new ContentJournal(contentDir),
    links: [],
    decisions: [],
    keepsSample: true,
    names: new Map<string, string>(),
    day: '2026-01-05',
    settings: parsed.settings,
    media: images.length > 0 ? await openMedia(uploads) : null,
  });
  prepared.commit();
  return { contentDir, posts: prepared.counts.posts };
}

/** Opens and saves each file as the editor does, and finds it at its address. */
function edit(contentDir: string) {
  const files = new ContentFiles(contentDir, () => IMAGES);
  const written = readdirSync(contentDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?:articles|partners|products|pages)\/.*\.(?:md|yaml)$/.test(name),
  );
  const served = readArticleFiles(path.join(contentDir, 'articles'), { images: IMAGES });
  expect(served.map(({ slug }) => `articles/${slug}.md`).sort()).toEqual(
    written.filter((name) => name.endsWith('.md')).sort(),
  );
  expect(files.list().map(({ file }) => file)).toEqual(expect.arrayContaining(written));
  for (const file of written) {
    const read = files.read(file);
    if ('problem' in read) throw new Error(`${file} ${read.problem}`);
    const address = buildConsolePath('content', ...file.split('/'));
    expect(parseConsolePath(parsePath(address) ?? '')).toEqual(['content', ...file.split('/')]);
    if (!file.endsWith('.md')) continue;
    const slug = path.basename(file, '.md');
    expect(parsePath(buildDefaultPath(slug))).toBe(buildDefaultPath(slug));
    const text = `${read.text}More.\n`;
    expect(files.save(file, text, read.hash, saving).outcome).toBe('saved');
  }
  return written;
}

it('writes files that the site serves and the editor opens and saves, whatever posts are called', {
  tags: ['rest'],
}, async () => {
  await forAll(0.2, [fc.array(names, { minLength: 1, maxLength: 20 })], async (slugs) => {
    const { contentDir, posts } = await move(slugs);
    expect(posts).toBe(slugs.length);
    expect(edit(contentDir).filter((name) => name.endsWith('.md'))).toHaveLength(slugs.length + 1);
  });
});

it('serves names that JavaScript or a system has a use for', async () => {
  const slugs = ['__proto__', 'constructor', 'index', 'con', 'größe-é', '写真', 'topic', 'tag'];
  const { contentDir } = await move(slugs);
  const written = edit(contentDir);
  for (const slug of slugs) expect(written).toContain(`articles/${slug}.md`);
});

it('leads former addresses of images in any alphabet to addresses that a header can have', async () => {
  const images = ['größe-ñandú-写真.svg', 'ß.svg', '写真.svg', 'cafe\u0301.svg', 'a (1).svg', 'plain.svg'];
  const { contentDir } = await move(['post'], images);
  const catalog = buildImageCatalog(await readContentImages(contentDir));
  const { redirects } = readContent(contentDir, { images: catalog });
  for (const name of images) {
    const from = parsePath(`/wp-content/uploads/${encodeURIComponent(name)}`) ?? '';
    expect([name, redirects.get(from)]).toEqual([
      name,
      expect.stringMatching(/^\/images\/[a-z0-9.-]+\.svg$/),
    ]);
  }
  const text = readFileSync(path.join(contentDir, 'articles/post.md'), 'utf8');
  expect(text.match(/\.\.\/images\/imported\//g)).toHaveLength(images.length);
});
