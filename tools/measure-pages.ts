// node tools/measure-pages.ts ORIGIN CONTENT: prints the lengths of the pages of a running site
// (docs/performance.md). CONTENT is its content folder.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright';
import { parse } from 'yaml';
import { CHROMIUM_ARGS, findChromiums } from '../scripts/test/chromium.ts';

const WIDTHS = [1440, 390] as const;
/** Shorter lists and tables, such as a row of links, are no blocks. */
const MIN_BLOCK_CHARACTERS = 60;

interface Section {
  readonly type: string;
  readonly variant?: string;
  readonly layout?: string;
  readonly folded?: boolean;
}

const [origin, contentFolder] = process.argv.slice(2);
if (origin === undefined || contentFolder === undefined) {
  throw new Error('Usage: node tools/measure-pages.ts ORIGIN CONTENT');
}

/** Lists the layouts of the sections of a page that are open. */
function listLayouts(file: string): string[] {
  const { sections = [] } = parse(readFileSync(file, 'utf8')) as { sections?: Section[] };
  return sections
    .filter(({ folded }) => folded !== true)
    .map(({ type, variant = '', layout = '' }) => [type, variant, layout].join(' ').trim());
}

/** The texts of the lists, tables and figures of a page. */
function readBlocks(page: Page): Promise<string[]> {
  return page.evaluate(
    (min) =>
      [...document.querySelectorAll<HTMLElement>('main :is(ul, ol, dl, table, figure)')]
        .filter((element) => element.parentElement?.closest('ul, ol, dl, table, figure') === null)
        .map((element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim())
        .filter((text) => text.length >= min),
    MIN_BLOCK_CHARACTERS,
  );
}

async function measure(page: Page, route: string) {
  const heights: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(origin + route, { waitUntil: 'networkidle' });
    heights.push(await page.evaluate(() => document.documentElement.scrollHeight));
  }
  return { heights, blocks: await readBlocks(page) };
}

const [executablePath] = findChromiums();
const browser = await chromium.launch({
  args: CHROMIUM_ARGS,
  ...(executablePath ? { executablePath } : {}),
});
const page = await browser.newPage({ reducedMotion: 'reduce' });
const folder = path.join(contentFolder, 'pages');
const found = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'template.yaml')) {
  const route = `/${file.slice(0, -'.yaml'.length)}`;
  found.push({ route, layouts: listLayouts(path.join(folder, file)), ...(await measure(page, route)) });
}
await browser.close();
console.log(
  '| page | 1440 px | 390 px | open sections | layouts | repeated blocks |\n|---|---|---|---|---|---|',
);
for (const { route, heights, layouts, blocks } of found) {
  const others = found.flatMap((other) => (other.route === route ? [] : other.blocks));
  const repeated = blocks.filter((block) => others.includes(block)).length;
  const cells = [`\`${route}\``, ...heights, layouts.length, new Set(layouts).size, repeated];
  console.log(`| ${cells.map((cell) => cell.toLocaleString('en-US')).join(' | ')} |`);
}
