import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr } from '../../test/support/build-wxr.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { writeSentFile } from '../../test/support/store-file.ts';
import { createSiteFolder } from '../commands/new.ts';
import { MoveInError } from './former-item.ts';
import { MoveInThread } from './move-in-thread.ts';

function open(timeoutMs?: number) {
  const folder = createFolder();
  const content = path.join(folder, 'content');
  createSiteFolder({ name: 'Site', folder: content, day: '2026-01-05' });
  return {
    content,
    moveIn: new MoveInThread(content, path.join(folder, 'data'), () => () => undefined, timeoutMs),
  };
}
const upload = (text: string) => ({
  export: writeSentFile('a.xml', text),
  links: null,
  given: { prefixes: '', bases: '', amazon: '' },
  keepsSample: true,
});
const POST = { id: 1, title: 'Post', slug: 'post', content: '<p>Words. [amazon box="B08N5WRWNW"]</p>' };

it('previews and moves a site in, while this thread goes on, and says why when it cannot', {
  tags: ['rest'],
}, async () => {
  const { content, moveIn } = open();
  let turns = 0;
  const ticking = setInterval(() => void turns++, 5);
  const preview = await moveIn.preview(upload(buildWxr([POST])));
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(3);
  const [amazon, ...others] = preview.groups.map(({ proposal }) => ({ ...proposal, confirm: true }));
  expect(others).toEqual([]);
  expect(preview.nameless.map(({ number }) => number)).toEqual(['B08N5WRWNW']);
  await expect(moveIn.preview(upload('<rss>'))).rejects.toThrow(MoveInError);
  const names = new Map([['B08N5WRWNW', 'A kettle']]);
  const moved = await moveIn.commit(upload(buildWxr([POST])), amazon === undefined ? [] : [amazon], names);
  expect(moved).toMatchObject({ posts: 1, productBoxes: 1 });
  expect(existsSync(path.join(content, 'products/a-kettle.yaml'))).toBe(true);
  expect(existsSync(path.join(content, 'articles/post.md'))).toBe(true);
});

it('ends an import that takes too long, and takes the next one', async () => {
  const { content, moveIn } = open(1);
  const ended = moveIn.commit(upload(buildWxr([POST])), []);
  await expect(ended).rejects.toThrow('takes longer than 0.001 s. Nothing was imported');
  await expect(moveIn.preview(upload('<rss>'))).rejects.toThrow(MoveInError);
  expect(existsSync(path.join(content, 'articles/post.md'))).toBe(false);
});
