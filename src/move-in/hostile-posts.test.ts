import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { buildWxr } from '../../test/support/build-wxr.ts';
import { SEARCHED } from '../../test/support/cases.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { forAll } from '../../test/support/for-all.ts';
import { writeSentFile } from '../../test/support/store-file.ts';
import { createSiteFolder } from '../commands/new.ts';
import { ContentJournal } from '../content-files/journal.ts';
import { type FormerSite, MoveInError } from './former-item.ts';
import { parseFormerSettings } from './former-settings.ts';
import { openGhost } from './ghost-export.ts';
import { parsePluginLinks } from './link-plugins.ts';
import { openMarkdown } from './markdown-folder.ts';
import { type Media, openMedia } from './media.ts';
import { openMedium } from './medium-export.ts';
import { listReport } from './move-in-report.ts';
import { prepareMoveIn } from './move-site.ts';
import { openSubstack } from './substack-export.ts';
import { openWxr } from './wordpress-export.ts';

/** Texts of posts that are too much for something. */
const HOSTILE: Readonly<Record<string, string>> = {
  'nested lists': '<ul><li>'.repeat(5_000),
  'nested tables': '<table><tr><td>'.repeat(3_000),
  'nested blocks': '<div>x'.repeat(20_000),
  'nested words': '<b>x'.repeat(20_000),
  'nested quotations': `${'> '.repeat(5_000)}x`,
  'nested lists of Markdown': Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join(
    '\n',
  ),
  'brackets without an end': '['.repeat(20_000),
  'a text of 14 MB': 'word '.repeat(2_800_000),
  'broken addresses': '<a href="http://[x">x</a> <img src="http://%"> ![x](http://%) [x](http://[x) words',
  'halves of characters': `words \ud800 and \udfff`,
  nothing: '',
  'an unclosed comment': `words ${'<!--'.repeat(5_000)}`,
  'an unclosed instruction': `words ${'<?x '.repeat(5_000)}`,
  'an unclosed section': `words ${'<![CDATA['.repeat(5_000)}`,
  'an unclosed declaration': `words ${'<!x '.repeat(5_000)}`,
};
const FLAT = 'Some words.';

/** An export with a hostile post and a flat one, as each system writes it. */
const SYSTEMS: Readonly<Record<string, (body: string, folder: string) => Promise<FormerSite>>> = {
  wordpress: async (content) =>
    openWxr(
      writeSentFile(
        'export.xml',
        buildWxr([
          { id: 1, title: 'Hostile', slug: 'hostile', content },
          { id: 2, slug: 'flat', content: FLAT },
        ]),
      ),
    ),
  ghost: async (html) => {
    const post = { id: '1', title: 'Hostile', slug: 'hostile', html, status: 'published' };
    const posts = [post, { ...post, id: '2', title: 'Flat', slug: 'flat', html: FLAT }];
    return openGhost(JSON.stringify({ db: [{ data: { posts } }] }), 'ghost.json');
  },
  'ghost, the form of its editor': async (text) => {
    const depth = Math.min(20_000, text.length);
    const start = '{"type":"list","children":[{"type":"listitem","children":['.repeat(depth);
    const deep = `${start}{"type":"text","text":"x"}${']}]}'.repeat(depth)}`;
    const post = { id: '1', title: 'Hostile', slug: 'hostile', status: 'published' };
    const posts = [
      { ...post, lexical: `{"root":{"type":"root","children":[${deep}]}}` },
      { ...post, id: 3, title: 7 },
      { ...post, id: '2', title: 'Flat', slug: 'flat', html: FLAT },
    ];
    return openGhost(JSON.stringify({ db: [{ data: { posts } }] }), 'ghost.json');
  },
  substack: async (html, folder) => {
    const rows = ['1.hostile', '2.flat'].map(
      (id) => `${id},2024-01-01,true,${id === '2.flat' ? 'Flat' : 'Hostile'}`,
    );
    writeFileSync(
      path.join(folder, 'posts.csv'),
      ['post_id,post_date,is_published,title', ...rows, ''].join('\n'),
    );
    mkdirSync(path.join(folder, 'posts'));
    writeFileSync(path.join(folder, 'posts/1.hostile.html'), html);
    writeFileSync(path.join(folder, 'posts/2.flat.html'), FLAT);
    return openSubstack(folder);
  },
  medium: async (html, folder) => {
    mkdirSync(path.join(folder, 'posts'));
    for (const [name, text] of [
      ['hostile', html],
      ['flat', FLAT],
    ])
      writeFileSync(
        path.join(
          folder,
          `posts/2024-01-01_${name}-${name === 'flat' ? 'abcdef123456' : 'abcdef123457'}.html`,
        ),
        `<h1 class="p-name">${name}</h1><section data-field="body">${text}</section>`,
      );
    return openMedium(folder);
  },
  markdown: async (body, folder) => {
    writeFileSync(path.join(folder, 'hostile.md'), `---\ntitle: Hostile\ndate: 2024-01-01\n---\n${body}\n`);
    writeFileSync(path.join(folder, 'flat.md'), `---\ntitle: Flat\ndate: 2024-01-01\n---\n${FLAT}\n`);
    return openMarkdown(folder);
  },
};

/** Prepares a move into an empty site; returns its slugs, its counts and the lines of its report. */
async function move(site: FormerSite, media: Media | null = null) {
  const contentDir = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: contentDir, day: '2026-01-05' });
  const parsed = parseFormerSettings({ prefixes: '', bases: '', amazon: '' });
  if ('problem' in parsed) throw new Error(parsed.problem);
  const { settings } = parsed;
  const journal = new ContentJournal(contentDir);
  const prepared = await prepareMoveIn({
    site,
    name: 'test',
    contentDir,
    journal,
    links: [],
    decisions: [],
    keepsSample: true,
    names: new Map<string, string>(),
    day: '2026-01-05',
    settings,
    media,
  });
  prepared.commit();
  return {
    posts: prepared.counts.posts,
    slugs: readdirSync(path.join(contentDir, 'articles')).map((name) => name.replace('.md', '')),
    report: [...listReport(prepared)],
    read(file: string) {
      const place = path.join(contentDir, file);
      return existsSync(place) ? readFileSync(place, 'utf8') : '';
    },
  };
}

it.each(
  Object.keys(SYSTEMS).flatMap((system) =>
    Object.keys(HOSTILE)
      .slice(0, system === 'ghost, the form of its editor' ? 1 : undefined)
      .map((kind) => [system, kind] as const),
  ),
)(
  '%s: a post with %s is imported or named, and the other one is imported',
  { tags: ['rest'] },
  async (system, kind) => {
    const site = await SYSTEMS[system]?.(HOSTILE[kind] ?? '', createFolder());
    if (site === undefined) throw new Error(system);
    const { posts, slugs, report } = await move(site);
    expect(slugs).toContain('flat');
    const isThere = slugs.includes('hostile');
    expect(posts).toBe(isThere ? 2 : 1);
    if (!isThere)
      expect(report.join('')).toMatch(/(?:hostile|Hostile|post 1\b|line \d+).*(?:is not imported: )\S/);
    expect(Math.max(...report.map((line) => line.length))).toBeLessThan(2_000);
  },
);

it('leaves out a post or an image of an archive that is damaged, and imports the others', {
  tags: ['rest'],
}, async () => {
  const folder = createFolder();
  const zip = path.join(folder, 'site.zip');
  const bytes = zipSync(
    {
      'a.md': strToU8('---\ntitle: A\n---\nThese words will be damaged.\n'),
      'b.md': strToU8('---\ntitle: B\n---\nWords, ![](photo.png) and ![](script.svg).\n'),
      'photo.png': strToU8('these bytes will be damaged'),
      'script.svg': strToU8('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    },
    { level: 0 },
  );
  const damaged = Buffer.from(
    Buffer.from(bytes).toString('latin1').replaceAll('will be', 'are not'),
    'latin1',
  );
  writeFileSync(zip, damaged);
  const { slugs, report, read } = await move(await openMarkdown(zip), await openMedia(zip));
  expect(slugs).toContain('b');
  expect(slugs).not.toContain('a');
  const text = report.join('');
  expect(text).toMatch(/a\.md: is not imported: .*a\.md is damaged/);
  expect(text).toMatch(/photo\.png cannot be shown: .*photo\.png is damaged/);
  expect(text).toContain('script.svg cannot be shown: ');
  expect(text).not.toContain('images/imported/');
  expect(read('articles/b.md')).toContain('](/photo.png)');
});

it('leaves an image out that is in the text itself and damaged, without its address in the report', async () => {
  const content = `Words. <img src="data:image/png;base64,${'A'.repeat(100_000)}">`;
  const site = openWxr(writeSentFile('x.xml', buildWxr([{ id: 1, content }])));
  const folder = createFolder();
  const { report } = await move(site, await openMedia(folder));
  const line = report.find((text) => text.includes('is in the text itself')) ?? '';
  expect(line.length).toBeGreaterThan(50);
  expect(Math.max(...report.map(({ length }) => length))).toBeLessThan(600);
});

/** What opens an export of each system from its file. */
const WORDS = 'See kettle and <em>teapot</em>, then <a href="https://old.example/x">grinder</a>. A saucer.';
const LEXICAL = JSON.stringify({
  root: {
    type: 'root',
    children: ['See kettle', 'teapot', 'grinder', 'saucer'].map((text) => ({
      type: 'paragraph',
      children: [{ type: 'text', text, format: 0 }],
    })),
  },
});
const READERS: Readonly<
  Record<string, readonly [whole: string, open: (text: string) => Promise<FormerSite> | FormerSite]>
> = {
  wordpress: [
    buildWxr([{ id: 1, title: 'One', slug: 'one', content: `<p>${WORDS}</p>` }]),
    (text) => openWxr(writeSentFile('export.xml', Buffer.from(text, 'latin1'))),
  ],
  ghost: [
    JSON.stringify({ db: [{ data: { posts: [{ id: '1', title: 'One', slug: 'one', html: WORDS }] } }] }),
    (text) => openGhost(text, 'ghost.json'),
  ],
  substack: [
    'post_id,post_date,is_published,title\n1.one,2024-01-01,true,One\n',
    (text) => openSubstack(path.dirname(writeIn(createFolder(), 'posts.csv', text))),
  ],
  medium: [
    `<h1 class="p-name">One</h1><section data-field="body">${WORDS}</section>`,
    (text) =>
      openMedium(
        path.dirname(path.dirname(writeIn(createFolder(), 'posts/2024-01-01_one-abcdef123456.html', text))),
      ),
  ],
  markdown: [
    `---\ntitle: One\ndate: 2024-01-01\ntags: [a]\n---\n${WORDS}\n`,
    (text) => openMarkdown(path.dirname(writeIn(createFolder(), 'one.md', text))),
  ],
  'a post of Jekyll': [
    `---\ntitle: "One: it"\ncategories: [a, b]\n---\nSee kettle *teapot* {: .c}\n\n{% highlight js %}\ngrinder()\n{% endhighlight %}\n\n[saucer][r]\n\n[r]: https://old.example/x 'T'\n`,
    (text) => openGenerator('_config.yml', 'permalink: /:title/', '_posts/2022-01-03-one.md', text),
  ],
  'a post of Hugo': [
    `+++\ntitle = "One"\ndate = 2022-01-03\n[[resources]]\nsrc = "x.png"\n+++\nSee kettle **teapot**.\n\n{{< highlight go >}}\ngrinder()\n{{< /highlight >}}\n\n[saucer]({{< ref "two.md" >}})\n`,
    (text) => openGenerator('hugo.toml', 'title = "x"', 'content/posts/one.md', text),
  ],
  'a post of Astro': [
    `---\ntitle: One\npubDate: 2022-01-03\n---\nimport Box from './Box.astro';\n\nSee kettle *teapot* {a.b}.\n\n<Box href="https://old.example/x">grinder</Box>\n\n- <>saucer</>\n`,
    (text) => openGenerator('astro.config.mjs', '', 'src/content/blog/one.mdx', text),
  ],
  'a post of Eleventy': [
    `---\ntitle: One\ntags: [post]\n---\nSee kettle {{ x }} *teapot*.\n\n{% for a in b %}\ngrinder\n{% endfor %}\n\n\`\`\`js\nsaucer()\n\`\`\`\n`,
    (text) => openGenerator('.eleventy.js', '', 'src/one.md', text),
  ],
  'a post of Ghost in the form of its editor': [
    JSON.stringify({ data: { posts: [{ id: '1', title: 'One', slug: 'one', lexical: LEXICAL }] } }),
    (text) => openGhost(text, 'ghost.json'),
  ],
  'front matter in JSON': [
    `---json\n{ "title": "One", "date": "2022-01-03", "tags": ["a"] }\n---\n${WORDS}\n`,
    (text) => openGenerator('.eleventy.js', '', 'src/one.md', text),
  ],
  'settings of Hugo': [
    `title = "Site"\nbaseURL = "https://old.example/"\n[permalinks]\nposts = "/:year/:slug/"\n`,
    (text) => openGenerator('content/posts/one.md', `---\ntitle: One\n---\n${WORDS}`, 'hugo.toml', text),
  ],
  'redirects of a host': [
    `# Old\n/kettle /2022/01/04/flat.html 301\n/teapot /kettle\n/grinder https://a.example/ 302\n/saucer id=1 /kettle\n`,
    (text) => openGenerator('_config.yml', '', '_redirects', text),
  ],
  'redirects of a host in TOML': [
    `[[redirects]]\nfrom = "/one"\nto = "/2022/01/04/flat.html"\n[[redirects]]\nfrom = "/two"\nto = "https://a.example/"\n`,
    (text) => openGenerator('_config.yml', '', 'netlify.toml', text),
  ],
  'redirects of a host in JSON': [
    `{"redirects":[{"source":"/one","destination":"/2022/01/04/flat.html"},{"source":"/two","destination":"/one"}]}`,
    (text) => openGenerator('_config.yml', '', 'vercel.json', text),
  ],
  'an archive of tar': [
    buildTar('one.md', `---\ntitle: One\ndate: 2024-01-01\n---\n${WORDS}\n`),
    (text) => openMarkdown(writeIn(createFolder(), 'export.tar', text)),
  ],
  'links as CSV': [
    'url,slug\nhttps://shop.example/?aff=me,/go/one\n',
    (text) => openLinks('links.csv', text),
  ],
  'links as SQL': [
    "INSERT INTO `wp_prli_links` (`id`, `url`, `slug`) VALUES (1, 'https://shop.example/?aff=me', 'one');\n",
    (text) => openLinks('links.sql', text),
  ],
  archive: [
    Buffer.from(zipSync({ 'one.md': strToU8('---\ntitle: One\ndate: 2024-01-01\n---\nWords.\n') })).toString(
      'latin1',
    ),
    (text) => openMarkdown(writeIn(createFolder(), 'export.zip', text)),
  ],
};

/** A tar archive with one file. */
function buildTar(name: string, text: string): string {
  const field = (value: string, length: number) => value.padEnd(length, '\0');
  const head =
    field(name, 124) + field(text.length.toString(8).padStart(11, '0'), 12) + field('14000000000', 20);
  return `${field(`${head}0`, 257)}${field('ustar\x0000', 255)}${field(text, Math.ceil(text.length / 512) * 512)}${'\0'.repeat(1024)}`;
}

/** A folder of a generator with its settings, a post and the damaged one. */
function openGenerator(settings: string, config: string, name: string, text: string): Promise<FormerSite> {
  const folder = createFolder();
  const post = [name, settings].find((file) => /\.mdx?$/.test(file)) ?? '_posts/one.md';
  writeIn(folder, settings, config);
  writeIn(
    folder,
    path.join(path.dirname(post), `2022-01-04-flat${path.extname(post)}`),
    `---\ntitle: Flat\n---\n${FLAT}\n`,
  );
  writeIn(folder, name, text);
  return openMarkdown(folder);
}

/** A site whose links are in a file of a plugin. */
function openLinks(name: string, text: string): FormerSite {
  parsePluginLinks(name, Buffer.from(text));
  return openWxr(writeSentFile('export.xml', buildWxr([{ id: 1, slug: 'one', content: FLAT }])));
}

function writeIn(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, 'latin1');
  return file;
}

/** A sentence, or several: with an end, and nothing that only a programmer reads. */
const isSentence = (text: string) =>
  /^[\p{Lu}\p{N}“"/]|^[\w./-]+\.(?:xml|json|csv|zip|tar|sql|html|md)\b|^content\//u.test(text) &&
  /[.!?]$/.test(text.trimEnd()) &&
  !/\[object|undefined|\bNaN\b|TypeError|at .*:\d+:\d+|\p{Cc}(?<!\n)/u.test(text) &&
  text.length < 1_500;

const damage = fc.record({
  kind: fc.constantFrom('cut', 'replaced', 'repeated', 'another'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.constantFrom(
    '',
    '\u0000',
    '<',
    '"',
    '\xff\xfe',
    'null',
    '{',
    '<!--',
    ']]>',
    '\n\n',
    ': [',
    '&x;',
    'x'.repeat(3_000),
  ),
  length: fc.nat(40),
});

it.each(Object.keys(READERS))(
  'an export of %s that is damaged is read, or refused in a sentence, and says when words are gone',
  { tags: ['rest'] },
  async (system) => {
    const [whole, open] = READERS[system] ?? expect.unreachable(system);
    await forAll(
      0.2 * SEARCHED,
      [damage],
      async ({ kind, at, bytes, length }) => {
        const place = Math.floor(at * whole.length);
        const rest = whole.slice(kind === 'replaced' ? place + length : place);
        const text =
          kind === 'another'
            ? bytes
            : whole.slice(0, place) +
              (kind === 'cut' ? '' : bytes.repeat(kind === 'repeated' ? length : 1) + rest);
        const outcome = await Promise.resolve()
          .then(async () => {
            const { report, slugs, read } = await move(await open(text));
            const files = ['redirects/imported-test.csv', ...slugs.map((slug) => `articles/${slug}.md`)];
            const articles = files.map(read).join();
            const gone = ['kettle', 'teapot', 'grinder', 'saucer'].filter(
              (word) => text.includes(word) && !articles.includes(word),
            );
            const isSaid = report.some((line) => /^\n(?:Lost|Not understood) /.test(line));
            expect([text, gone, isSaid || gone.length === 0]).toEqual([text, gone, true]);
            return report;
          })
          .catch((error: unknown) => error);
        if (Array.isArray(outcome)) {
          const refused = outcome.flatMap((line) => / is not imported: (.*)$/.exec(String(line))?.[1] ?? []);
          expect(refused.filter((reason) => /\[object|undefined|TypeError|\bNaN\b/.test(reason))).toEqual([]);
          return;
        }
        if (!(outcome instanceof MoveInError)) throw outcome;
        expect([outcome.message, isSentence(outcome.message)]).toEqual([outcome.message, true]);
      },
      [[{ kind: 'cut', at: 0, bytes: '', length: 0 }]],
    );
  },
);
