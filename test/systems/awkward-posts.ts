import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** A post as an editor could have written it, with what the site must make of it. */
export const postSchema = z.strictObject({
  kind: z.string(),
  slug: z.string(),
  title: z.string(),
  html: z.string(),
  excerpt: z.string().optional(),
  /** Day of publication; default: one day before the post before it. */
  date: z.string().optional(),
  categories: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  status: z.enum(['draft', 'future', 'private', 'password']).optional(),
  hasImage: z.boolean().optional(),
  type: z.enum(['post', 'page']).optional(),
  /** Address of the page that it is below. */
  parent: z.string().optional(),
  /** Fields that plugins store. */
  meta: z.record(z.string(), z.string()).optional(),
  /** What the site does with it; default: it is shown under its slug. */
  outcome: z.enum(['left-out', 'not-public']).optional(),
});
export type AwkwardPost = Readonly<z.infer<typeof postSchema>>;

const block = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`;
const paragraph = (words: number, seed: number) =>
  block(
    'paragraph',
    `<p>${Array.from({ length: words }, (_, at) => `word${(at * 7 + seed) % 97}`).join(' ')}.</p>`,
  );

const posts = z.array(
  postSchema
    .extend({ html: z.string().optional(), words: z.number().default(0), seed: z.number().default(0) })
    .transform(({ words, seed, html = paragraph(words, seed), ...post }) => ({ ...post, html })),
);
const WRITTEN = z
  .strictObject({ blocks: z.record(z.string(), z.string()), shown: posts, refused: posts })
  .parse(parse(readFileSync(path.join(import.meta.dirname, '../fixtures/awkward-posts.yaml'), 'utf8')));

/** Builds at least 150 posts of the kinds that real sites have. `origin`: the address of the system itself. */
export function buildAwkwardPosts(origin: string): readonly AwkwardPost[] {
  const filler = Array.from(
    { length: 96 },
    (_, at): AwkwardPost => ({
      kind: 'ordinary',
      slug: `post-${at}`,
      title: `Post ${at} about pipelines`,
      html: `${paragraph(60, at)}\n${block('heading', `<h2>Part ${at}</h2>`)}\n${paragraph(80, at + 3)}`,
      categories: [at % 3 === 0 ? 'Growth & Sales' : 'Automation'],
      tags: [`tag ${at % 9}`],
      hasImage: at < 6,
    }),
  );
  const shown: AwkwardPost[] = [
    ...Object.entries(WRITTEN.blocks).map(([kind, html]) => ({
      kind,
      slug: `block-${kind}`,
      title: `Block: ${kind}`,
      html: `${paragraph(50, 1)}\n${html}`,
    })),
    ...['_leading_score', 'under_score_slug', 'x'.repeat(190)].map((slug) => ({
      kind: 'slug',
      slug,
      title: `Slug ${slug.slice(0, 20)}`,
      html: paragraph(40, 2),
    })),
    ...WRITTEN.shown,
    {
      kind: 'links',
      slug: 'links',
      title: 'Links',
      html: `<p>${[`${origin}/post-3/`, '/post-3/#part', `${origin}/2026/01/post-3/`, `${origin}/about/`, 'https://example.com/?ref=x', '#/portal/signup', '/post-4/'].map((href) => `<a href="${href}">a link to ${href.length}</a>`).join(' ')}</p>`,
    },
    ...Array.from({ length: 11 }, (_, at) => ({
      kind: 'builder',
      slug: `builder-${at}`,
      title: `Builder ${at}`,
      html: `<div class="section">${'<div class="row" data-x="1"><p>Words of a builder page with many wrappers.</p></div>'.repeat(3_000)}</div>`,
    })),
  ];
  const refused: AwkwardPost[] = [
    ...Array.from({ length: 3 }, (_, at) => ({
      kind: 'empty',
      slug: `empty-${at}`,
      title: `Empty ${at}`,
      html: '',
      excerpt: 'Only an excerpt.',
      outcome: 'left-out' as const,
    })),
    ...WRITTEN.refused.slice(0, 2),
    {
      kind: 'too-long',
      slug: 'too-long',
      title: 'Too long',
      html: `<p>${'long '.repeat(61_000)}</p>`,
      outcome: 'left-out',
    },
    ...WRITTEN.refused.slice(2),
  ];
  const all = [...refused, ...shown, ...filler];
  return all.map((post, at) => ({
    date: new Date(Date.UTC(2026, 5, 1) - at * 86_400_000).toISOString().slice(0, 10),
    ...post,
  }));
}
