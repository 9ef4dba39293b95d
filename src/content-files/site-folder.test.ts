import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { readSaving } from '../../test/support/content-copy.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { ContentFiles } from './content-files.ts';
import { hashText } from './parse-yaml.ts';
import {
  findContentFolder,
  findOtherBuiltSite,
  listChangesOfSample,
  noteBuiltSite,
  openSiteContent,
  takeSiteContent,
} from './site-folder.ts';

const saving = readSaving();

/** Paths of a product, which is not the working folder of the tests: threads share that. */
let root = '';
const at = (name: string) => path.join(root, name);
const said: string[] = [];
const open = (given?: string) => openSiteContent(given, (line) => said.push(line), root);

beforeEach(() => {
  root = createFolder();
  said.length = 0;
  cpSync(path.join(ROOT, 'content'), at('content'), { recursive: true });
});

const NAME = 'pages/terms.yaml';
const read = (folder: string) => readFileSync(at(`${folder}/${NAME}`), 'utf8');

it('the sample is shown until the first edit, which makes a copy and leaves the sample', () => {
  expect(open()).toBe('./site/content');
  expect(lstatSync(at('site/content')).isSymbolicLink()).toBe(true);
  const files = new ContentFiles(at('site/content'), () => ({ images: new Map(), origin: 'build' }));
  const before = read('content');
  const text = `${before}# Mine.\n`;
  const saved = files.save(NAME, text, hashText(before), saving);
  expect(saved).toMatchObject({ outcome: 'saved' });
  expect([read('content'), read('site/content')]).toEqual([before, text]);
  expect(lstatSync(at('site/content')).isSymbolicLink()).toBe(false);
  expect(listChangesOfSample(at('content'))).toEqual([]);
  expect(open()).toBe('./site/content');
  expect(read('site/content')).toBe(text);
  expect(said).toEqual([]);
});

it('several files that are written together are written to the copy', () => {
  open();
  const files = new ContentFiles(at('site/content'), () => ({ images: new Map(), origin: 'build' }));
  const before = read('content');
  const change = { file: NAME, text: `${before}# Mine.\n`, opened: hashText(before) };
  expect(files.saveTogether([change], saving)).toEqual({ outcome: 'saved' });
  expect(read('content')).toBe(before);
  expect(read('site/content')).toBe(change.text);
});

it('a sample that was edited and deleted from is copied whole at the next start, and said', () => {
  writeFileSync(at(`content/${NAME}`), `${read('content')}# Mine.\n`);
  rmSync(at('content/pages/case-studies.yaml'));
  mkdirSync(at('content/networks'), { recursive: true });
  writeFileSync(at('content/networks/own.yaml'), 'name: Own\n');
  expect(open()).toBe('./site/content');
  expect(lstatSync(at('site/content')).isSymbolicLink()).toBe(false);
  expect(read('site/content')).toBe(read('content'));
  expect(existsSync(at('site/content/pages/case-studies.yaml'))).toBe(false);
  expect(readFileSync(at('site/content/networks/own.yaml'), 'utf8')).toBe('name: Own\n');
  expect(said).toEqual([expect.stringContaining('3 files of content/ are not as they shipped')]);
  open();
  expect(said).toHaveLength(1);
});

it('line ends of another system are no change, and a folder that is named is used', () => {
  writeFileSync(at(`content/${NAME}`), read('content').replaceAll('\n', '\r\n'));
  expect(listChangesOfSample(at('content'))).toEqual([]);
  expect(findContentFolder(root, 'content')).toBe('content');
  expect(open('content')).toBe('content');
  expect(existsSync(at('site'))).toBe(false);
});

it('a folder that cannot be made leaves the sample shown, and says so when it was changed', () => {
  writeFileSync(at('site'), 'a file');
  expect(open()).toBe('./content');
  expect(said).toEqual([]);
  writeFileSync(at(`content/${NAME}`), '# Mine.\n');
  expect(open()).toBe('./content');
  expect(said).toEqual([expect.stringContaining('could not be copied')]);
});

it('a link to the sample of another version leads to this one', () => {
  mkdirSync(at('site'));
  symlinkSync(at('gone'), at('site/content'));
  expect(findContentFolder(root, undefined)).toBe('./content');
  open();
  expect(existsSync(at('site/content/site.yaml'))).toBe(true);
  takeSiteContent(at('site/content'));
  expect(lstatSync(at('site/content')).isDirectory()).toBe(true);
});

it('a build says when it was made for another site, or for the sample that was edited since', () => {
  const find = (name: string, folder = 'content') => findOtherBuiltSite(root, at(folder), name);
  expect(find('Signpost')).toBeNull();
  noteBuiltSite(root, at('content'), 'Signpost');
  expect([find('Signpost'), find('Desks')]).toEqual([null, 'Signpost']);
  cpSync(at('content'), at('own'), { recursive: true });
  writeFileSync(at(`own/${NAME}`), '# Mine.\n');
  expect(find('Signpost', 'own')).toBe('the sample, Signpost');
  noteBuiltSite(root, at('own'), 'Signpost');
  expect(find('Signpost', 'own')).toBeNull();
});
