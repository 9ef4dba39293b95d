/** Bodies that are as an article should be: the sanitiser gives them out letter for letter. */
export const GOOD_BODIES: readonly (readonly [name: string, html: string])[] = [
  ['paragraphs', '<p>One sentence.</p>\n<p>Another, with "quotes" and an apostrophe’s tail.</p>'],
  [
    'emphasis',
    '<p><em>a</em> <strong>b</strong> <b>c</b> <i>d</i> <u>e</u> <s>f</s> <mark>g</mark> <small>h</small></p>',
  ],
  ['headings with ids', '<h2 id="s-one">One</h2>\n<h3 id="s-one-a">One a</h3>\n<h4 id="s-deep">Deep</h4>'],
  ['lists', '<ul>\n<li>a</li>\n<li>b\n<ol>\n<li>c</li>\n</ol>\n</li>\n</ul>'],
  ['a list that starts at four', '<ol start="4">\n<li>a</li>\n<li value="9">b</li>\n</ol>'],
  ['definitions', '<dl>\n<dt>Seat</dt>\n<dd>One person who signs in.</dd>\n</dl>'],
  ['a quotation', '<blockquote>\n<p>Divide by 0.60; do not multiply by 1.40.</p>\n</blockquote>'],
  [
    'code',
    '<p>Call <code>list()</code>.</p>\n<pre><code class="language-ts">const a = 1 &lt; 2 &amp;&amp; b;\n</code></pre>',
  ],
  ['a line break and a rule', '<p>a<br>b</p>\n<hr>'],
  [
    'a table',
    '<div class="table-scroll" role="region" tabindex="0" aria-label="Table 1: Cost">' +
      '<table><caption>Cost</caption><thead><tr><th scope="col">Tool</th><th data-align="right">$</th></tr></thead>' +
      '<tbody><tr><td colspan="2">1,492</td></tr></tbody></table></div>',
  ],
  [
    'an internal link',
    '<p><a href="/roi-calculator">Do the sum</a>, then <a href="/blog/crm-basics#s-start">read on</a>.</p>',
  ],
  ['a link in the article', '<p><a href="#s-one">Up</a></p>\n<h2 id="s-one">One</h2>'],
  [
    'a link to another site',
    '<p><a href="https://docs.example/a?b=c&amp;d=e" rel="nofollow noopener">Docs</a></p>',
  ],
  [
    'a link that writes and one that calls',
    '<p><a href="mailto:desk@hub.example">Write</a> <a href="tel:+15550100">Call</a></p>',
  ],
  [
    'a paid link',
    '<p><a href="/go/highlevel?page=pricing&amp;source=article&amp;position=text" rel="sponsored noopener" target="_blank" ' +
      'data-action="call_to_action" data-label="article" data-source="article">See the price</a></p>',
  ],
  [
    'an image',
    '<figure><img src="https://images.example/a.png" alt="Two columns" width="800" height="420" loading="lazy" decoding="async">' +
      '<figcaption>Cost by month</figcaption></figure>',
  ],
  [
    'a video',
    '<figure data-video="abcdefghijk"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">The tour</a></figure>',
  ],
  ['details', '<details open="">\n<summary>The sum</summary>\n<p>450 + 297</p>\n</details>'],
  [
    'abbreviations, times and keys',
    '<p><abbr title="Customer relations">CRM</abbr> <time datetime="2026-01-01">today</time> <kbd>Enter</kbd></p>',
  ],
  [
    'sub and superscript',
    '<p>H<sub>2</sub>O, 10<sup>3</sup>, <var>x</var>, <samp>out</samp>, <q>short</q>, <cite>Title</cite></p>',
  ],
  ['other scripts', '<p lang="ar" dir="rtl">مرحبا</p>\n<p lang="ja">東京の価格</p>\n<p>naïve café 👩‍💻</p>'],
  ['entities', '<p>5 &lt; 6 &amp; 7 &gt; 6, &amp;lt; stays, 100 % of "it"</p>'],
  ['deleted and inserted', '<p><del>1,492</del> <ins>297</ins></p>'],
];
