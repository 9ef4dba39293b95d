/** A post as an editor could have written it, with what the site must make of it. */
export interface AwkwardPost {
  readonly kind: string;
  readonly slug: string;
  readonly title: string;
  readonly html: string;
  readonly excerpt?: string;
  /** Day of publication; default: one day before the post before it. */
  readonly date?: string;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly status?: 'draft' | 'future' | 'private' | 'password';
  readonly hasImage?: boolean;
  /** What the site does with it; default: it is shown under its slug. */
  readonly outcome?: 'left-out' | 'not-public';
}

const block = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`;
const paragraph = (words: number, seed: number) =>
  block(
    'paragraph',
    `<p>${Array.from({ length: words }, (_, at) => `word${(at * 7 + seed) % 97}`).join(' ')}.</p>`,
  );

const BLOCKS: readonly (readonly [kind: string, html: string])[] = [
  [
    'table',
    block(
      'table',
      '<figure class="wp-block-table"><table><thead><tr><th>Plan</th><th class="has-text-align-right" data-align="right">Price</th></tr></thead><tbody><tr><td>One</td><td class="has-text-align-right" data-align="right">$97</td></tr></tbody></table><figcaption>Prices</figcaption></figure>',
    ),
  ],
  [
    'gallery',
    block(
      'gallery',
      `<figure class="wp-block-gallery has-nested-images columns-3">${[1, 2, 3].map((n) => `<figure class="wp-block-image"><img src="/wp-content/uploads/${n}.jpg" alt="Image ${n}"/></figure>`).join('')}</figure>`,
    ),
  ],
  [
    'columns',
    block(
      'columns',
      '<div class="wp-block-columns"><div class="wp-block-column"><p>Left</p></div><div class="wp-block-column"><p>Right</p></div></div>',
    ),
  ],
  [
    'buttons',
    block(
      'buttons',
      '<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="https://a.example/">First</a></div><div class="wp-block-button"><a class="wp-block-button__link" href="https://b.example/">Second</a></div></div>',
    ),
  ],
  [
    'file',
    block(
      'file',
      '<div class="wp-block-file"><a href="/wp-content/uploads/paper.pdf">Paper</a><a href="/wp-content/uploads/paper.pdf" class="wp-block-file__button" download>Download</a></div>',
    ),
  ],
  [
    'video',
    block(
      'video',
      '<figure class="wp-block-video"><video controls src="https://files.example/film.mp4"></video><figcaption>A self-hosted film</figcaption></figure>',
    ),
  ],
  [
    'audio',
    block(
      'audio',
      '<figure class="wp-block-audio"><audio controls src="https://files.example/talk.mp3"></audio></figure>',
    ),
  ],
  [
    'youtube',
    '<figure class="wp-block-embed"><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="A talk"></iframe></figure>',
  ],
  [
    'vimeo',
    '<figure class="wp-block-embed"><iframe src="https://player.vimeo.com/video/76979871?h=8272103f6e" title="A film"></iframe><figcaption>Vimeo caption</figcaption></figure>',
  ],
  [
    'quote',
    block('quote', '<blockquote class="wp-block-quote"><p>Quoted.</p><cite>Someone</cite></blockquote>'),
  ],
  [
    'pullquote',
    block('pullquote', '<figure class="wp-block-pullquote"><blockquote><p>Pulled.</p></blockquote></figure>'),
  ],
  ['code', block('code', '<pre class="wp-block-code"><code>if (a &lt; b) { return; }</code></pre>')],
  ['details', '<details><summary>More</summary><p>Hidden words.</p></details>'],
  ['shortcode', '[contact-form-7 id="5" title="Contact"]'],
  ['script', '<script>document.title = "x";</script><p onclick="alert(1)">Text with a handler.</p>'],
  ['style', '<style>body { color: red }</style><p style="color:red">Red text.</p>'],
  ['form', '<form action="/x"><label>Name <input name="n"></label><button>Send</button></form>'],
  ['unclosed', '<div><p>Unclosed <b>bold <i>italic</p><ul><li>one<li>two'],
  ['entities', '<p>Fish &amp; chips &lt;b&gt; &copy; &#8364; &nbsp; caf&eacute;</p>'],
  ['rtl', '<p dir="rtl" lang="ar">مرحبا بالعالم</p>'],
];

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
    ...BLOCKS.map(([kind, html]) => ({
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
    {
      kind: 'cyrillic',
      slug: 'что-такое-црм',
      title: 'Что такое ЦРМ',
      html: '<p>Слово за слово, и история становится длиннее сорока знаков.</p>',
      categories: ['Стратегия'],
    },
    {
      kind: 'chinese',
      slug: '什么是客户关系管理',
      title: '什么是客户关系管理',
      html: '<p>客户关系管理帮助企业记录每一次谈话。</p>',
      categories: ['策略'],
    },
    { kind: 'emoji-title', slug: 'launch-day', title: '🚀 Launch day 👩‍💻', html: paragraph(40, 3) },
    { kind: 'long-title', slug: 'long-title', title: 'Long '.repeat(50), html: paragraph(40, 4) },
    {
      kind: 'html-title',
      slug: 'html-title',
      title: 'A <em>fine</em> title &amp; more',
      html: paragraph(40, 5),
    },
    { kind: 'short', slug: 'short', title: 'Short', html: '<p>Two words.</p>' },
    {
      kind: 'image-only',
      slug: 'image-only',
      title: 'Image only',
      html: '<p><img src="https://images.example/only.png" alt="Only"></p>',
    },
    {
      kind: 'excerpt',
      slug: 'own-excerpt',
      title: 'Own excerpt',
      excerpt: 'Written by an editor.',
      html: paragraph(90, 6),
    },
    {
      kind: 'sticky-date',
      slug: 'same-second',
      title: 'Same second',
      html: paragraph(40, 7),
      date: '2026-01-05',
    },
    { kind: 'old', slug: 'from-1995', title: 'From 1995', html: paragraph(40, 8), date: '1995-06-01' },
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
    { kind: 'blank', slug: 'blank', title: 'Blank', html: '<p> </p>\n<p>&nbsp;</p>', outcome: 'left-out' },
    {
      kind: 'widget',
      slug: 'widget-only',
      title: 'Widget only',
      html: '<script src="https://x.example/w.js"></script>',
      outcome: 'left-out',
    },
    {
      kind: 'too-long',
      slug: 'too-long',
      title: 'Too long',
      html: `<p>${'long '.repeat(61_000)}</p>`,
      outcome: 'left-out',
    },
    {
      kind: 'too-old',
      slug: 'from-1980',
      title: 'From 1980',
      html: paragraph(40, 9),
      date: '1980-01-01',
      outcome: 'left-out',
    },
    {
      kind: 'draft',
      slug: 'a-draft',
      title: 'Draft',
      html: paragraph(40, 10),
      status: 'draft',
      outcome: 'not-public',
    },
    {
      kind: 'future',
      slug: 'a-future',
      title: 'Future',
      html: paragraph(40, 11),
      status: 'future',
      date: '2099-01-01',
      outcome: 'not-public',
    },
    {
      kind: 'private',
      slug: 'a-private',
      title: 'Private',
      html: paragraph(40, 12),
      status: 'private',
      outcome: 'not-public',
    },
    {
      kind: 'password',
      slug: 'a-password',
      title: 'Password',
      html: paragraph(40, 13),
      status: 'password',
      outcome: 'not-public',
    },
  ];
  const all = [...refused, ...shown, ...filler];
  return all.map((post, at) => ({
    date: new Date(Date.UTC(2026, 5, 1) - at * 86_400_000).toISOString().slice(0, 10),
    ...post,
  }));
}
