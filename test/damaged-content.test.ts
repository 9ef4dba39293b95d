import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSiteFolder } from '../src/commands/new.ts';
import type { ArticleFile } from '../src/content-files/articles/article-file.ts';
import { openArticleFolder } from '../src/content-files/articles/read-article-files.ts';
import type { ContentDocuments } from '../src/content-files/content-folder.ts';
import { readShown, type ShownContent } from '../src/content-files/content-source.ts';
import type { ImageCatalog } from '../src/core/pages/images/content-image.ts';
import { createFolder } from './support/create-folder.ts';
import { forAll } from './support/for-all.ts';

const page = (title: string) => `title: ${title}
description: A page beside which other files of the folder are damaged, removed and renamed, again and again.
cta: { partner: example, source: page, event: call_to_action }
sections:
  - { type: hero, title: "${title}" }
  - { type: author, author: ada, text: Signed. }
  - { type: product-box, product: lamp }
  - { type: prose, body: "[One](/one) [Two](/two) [{claim:users}](/blog/a)" }
  - { type: image, image: { src: ../images/signpost.svg, alt: A signpost } }
`;

const article = (title: string) => `---
title: ${title}
excerpt: An article beside others.
categories: [General]
publishedAt: 2026-01-01
author: ada
---
[Page](/one) {product:lamp.basic}

![A signpost](../images/signpost.svg)

{{product-box product=lamp}}
`;

/** A site whose files name each other. */
function createSite(): string {
  const root = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Desk lamps', folder: root, day: '2026-01-05' });
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  for (const name of ['one', 'two', 'three']) write(`pages/${name}.yaml`, page(`Page ${name}`));
  for (const name of ['a', 'b']) write(`articles/${name}.md`, article(`Article ${name}`));
  write('authors/ada.yaml', 'name: Ada\nrole: Editor\nbio: She edits.\n');
  write(
    'claims/more.yaml',
    'users: { figure: "5", wording: users, evidence: Counted., checked: 2026-01-05 }\n',
  );
  const product = readFileSync(path.join(root, 'products/example.yaml'), 'utf8');
  write('products/lamp.yaml', product.replaceAll('Say here', 'It says').replace('draft: true\n', ''));
  write('redirects/old.csv', 'from,to\n/old,/one\n/older,/blog/a\n');
  return root;
}

const listFiles = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));

/** What a broken disk, a shell, a sync or a hasty hand does to a file. */
const DAMAGES: Readonly<Record<string, (file: string, text: string) => void>> = {
  removed: (file) => rmSync(file),
  renamed: (file) => renameSync(file, file.replace(/(\.\w+)$/, '-renamed$1')),
  misnamed: (file) => renameSync(file, `${file}.bak`),
  emptied: (file) => writeFileSync(file, ''),
  cut: (file, text) => writeFileSync(file, text.slice(0, text.length / 2)),
  'no YAML': (file) => writeFileSync(file, 'x: [\n'),
  'another file': (file) => writeFileSync(file, 'title: Another\n'),
  'no text': (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00, 0x80])),
  'a folder': (file) => {
    rmSync(file);
    mkdirSync(file);
  },
  'a link to nowhere': (file) => {
    rmSync(file);
    symlinkSync('/nowhere', file);
  },
  'a link to itself': (file) => {
    rmSync(file);
    symlinkSync(path.basename(file), file);
  },
};

/** What no file can be. */
const WRONG: ReadonlySet<string> = new Set([
  'no YAML',
  'no text',
  'a folder',
  'a link to nowhere',
  'a link to itself',
]);

/** The images of the folder that can be shown. */
function readImages(root: string): ImageCatalog {
  const names = listFiles(root).flatMap((file) => /^images\/(.*\.svg)$/.exec(file)?.[1] ?? []);
  const image = (name: string) => ({ src: `/images/${name}`, width: 1, height: 1, sources: [] });
  return { images: new Map(names.map((name) => [name, image(name)])), origin: 'build' };
}

/** What visitors see of the folder, when `last` was shown before. */
function show(
  root: string,
  last: { shown: ShownContent; articles: ReadonlyMap<string, ArticleFile> } | null,
  isStart: boolean,
) {
  const images = readImages(root);
  const folder = openArticleFolder(path.join(root, 'articles'));
  const documents: ContentDocuments = last?.shown.documents ?? new Map();
  const shown = readShown(root, { images, articles: new Set(folder.listSlugs()) }, documents, isStart);
  const { partners, authors, figures, products } = shown.content;
  const read = folder.readShown(
    { partners: new Set(partners.keys()), authors, figures, products, images },
    isStart ? null : (last?.articles ?? null),
  );
  const wrong = [...shown.waiting, ...shown.leftOut, ...shown.warnings].map(({ file }) => file);
  const wrongArticles = [...read.waiting, ...read.leftOut, ...read.warnings].map(
    ({ file }) => `articles/${file}`,
  );
  return {
    shown,
    articles: new Map(read.files.map((file) => [file.slug, file])),
    wrong: new Set([...wrong, ...wrongArticles]),
  };
}

const damages = fc.array(
  fc.record({ at: fc.nat(), kind: fc.constantFrom(...Object.keys(DAMAGES)), isStart: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

it('every page answers whose file is not damaged, each damage is named, and is forgotten when it is healed', {
  tags: ['rest'],
}, async () => {
  const root = createSite();
  const whole = new Map(listFiles(root).map((file) => [file, readFileSync(path.join(root, file))]));
  const first = show(root, null, true);
  expect([...first.wrong]).toEqual([]);
  await forAll(0.4, [damages], (steps) => {
    let last = first;
    const touched = new Set<string>();
    for (const { at, kind, isStart } of steps) {
      const files = listFiles(root);
      const file = files[at % files.length] ?? '';
      touched.add(file);
      DAMAGES[kind]?.(path.join(root, file), readFileSync(path.join(root, file), 'utf8'));
      // A renamed file is another one.
      for (const one of listFiles(root)) if (!whole.has(one)) touched.add(one);
      last = show(root, last, isStart);
      for (const path of first.shown.content.pages.keys())
        if (!touched.has(`pages${path}.yaml`))
          expect(last.shown.content.pages.has(path), `${path}: ${kind} ${file}`).toBe(true);
      if (!isStart)
        for (const slug of last.articles.keys())
          if (!touched.has(`articles/${slug}.md`)) expect(first.articles.has(slug)).toBe(true);
      const isRead = whole.has(file) && /\.(?:yaml|md|csv)$/.test(file) && WRONG.has(kind);
      if (isRead) expect([...last.wrong], `${kind} ${file}`).toContain(file);
      expect(last.shown.content.partners.has('example')).toBe(true);
    }
    rmSync(root, { recursive: true });
    for (const [file, text] of whole) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    const healed = show(root, last, false);
    expect([...healed.wrong]).toEqual([]);
    expect(healed.shown.content).toEqual(first.shown.content);
    expect(healed.articles).toEqual(first.articles);
  });
});
