import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { createSiteFolder } from '../../src/commands/new.ts';
import { IMPORT_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import { buildWxr, type WxrItem } from '../support/build-wxr.ts';

/** What an import took. */
export interface ImportFigures {
  readonly megabytes: number;
  readonly posts: number;
  readonly seconds: number;
  /** Peak of resident memory. */
  readonly peakMegabytes: number;
}

const SECTION = `<!-- wp:heading --><h2 class="wp-block-heading">What the plans cost</h2><!-- /wp:heading -->
<!-- wp:paragraph --><p>A paragraph of <strong>ordinary</strong> words with <a href="https://shop.example/?aff=me-1&amp;x=1">a paid link</a>, <a href="/post-1/">a link</a> and <em>emphasis</em>, as posts have it, and some more words that make it as long as paragraphs are.</p><!-- /wp:paragraph -->
<!-- wp:list --><ul><li>One point of several</li><li>Another point</li></ul><!-- /wp:list -->
<!-- wp:table --><figure class="wp-block-table"><table><thead><tr><th>Plan</th><th>Price</th></tr></thead><tbody><tr><td>One</td><td>$97</td></tr></tbody></table></figure><!-- /wp:table -->
`;

/** Writes an export of about so many megabytes with posts of about 10 kB, imports it, and measures the process. */
export async function measureImport(megabytes: number): Promise<ImportFigures> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-import-'));
  try {
    const content = path.join(folder, 'content');
    createSiteFolder({ name: 'Site', folder: content, day: '2026-01-05' });
    const file = path.join(folder, 'export.xml');
    const posts = await writeExport(file, megabytes * 1_000_000);
    const began = performance.now();
    const script = path.join(import.meta.dirname, 'import-process.ts');
    const env = { PATH: process.env['PATH'], CONTENT_DIR: content };
    const { stdout, stderr, status } = spawnSync(PINNED_NODE, [...IMPORT_FLAGS, script, file], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr || stdout);
    const seconds = (performance.now() - began) / 1000;
    const peak = Number(/peak (\d+)/.exec(stdout)?.[1]);
    return { megabytes: statSync(file).size / 1e6, posts, seconds, peakMegabytes: peak / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeExport(file: string, bytes: number): Promise<number> {
  const output = createWriteStream(file);
  const [head = '', tail = ''] = buildWxr([])
    .split('</wp:author>\n')
    .map((part, at) => (at === 0 ? `${part}</wp:author>\n` : part));
  output.write(head);
  let [written, posts] = [0, 0];
  while (written < bytes) {
    posts += 1;
    const item: WxrItem = {
      id: posts,
      title: `Post ${posts}`,
      content: `<p>Post ${posts}.</p>${SECTION.repeat(9)}`,
    };
    const [, text = ''] = /(\t<item>[\s\S]*<\/item>)/.exec(buildWxr([item])) ?? [];
    written += text.length;
    if (!output.write(`${text}\n`)) await once(output, 'drain');
  }
  output.end(tail);
  await once(output, 'finish');
  return posts;
}
