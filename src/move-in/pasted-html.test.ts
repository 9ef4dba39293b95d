import { expect, it } from 'vitest';
import { convertPasted } from './pasted-html.ts';

/** What clipboards have, composed from what the programs document and are known to write; what a text should have of it. */
const CLIPBOARDS: readonly (readonly [name: string, html: string, markdown: string])[] = [
  [
    'Google Docs: headings, bold and a link',
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr"><span style="font-size:20pt;font-weight:400">A title</span></h1><p dir="ltr"><span style="font-weight:700">Bold</span><span style="font-weight:400"> and </span><span style="font-style:italic">thin</span><span>, see </span><a href="https://www.google.com/url?q=https://a.example/x&amp;sa=D" style="text-decoration:none"><span style="color:#1155cc">this</span></a><span>.</span></p></b>',
    '## A title\n\n**Bold** and *thin*, see [this](https://a.example/x).',
  ],
  [
    'Google Docs: a list in a list',
    '<b style="font-weight:normal" id="docs-internal-guid-2"><ul><li dir="ltr" style="list-style-type:disc"><p dir="ltr"><span>One</span></p></li><ul><li dir="ltr"><p dir="ltr"><span>Inner</span></p></li></ul><li><p><span>Two</span></p></li></ul></b>',
    '- One\n  - Inner\n- Two',
  ],
  [
    'Google Docs: a table',
    '<b style="font-weight:normal"><div dir="ltr"><table><colgroup><col width="1"/></colgroup><tbody><tr><td><p><span>Plan</span></p></td><td><p><span>Price</span></p></td></tr><tr><td><p><span>Basic</span></p></td><td><p><span>$5</span></p></td></tr></tbody></table></div></b>',
    '| Plan | Price |\n| --- | --- |\n| Basic | $5 |',
  ],
  [
    'Word: headings and lists',
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><!--StartFragment--><h1>Report<o:p></o:p></h1><p class=MsoNormal>Text with <b>bold</b>.<o:p></o:p></p><p class=MsoListParagraphCxSpFirst style="mso-list:l0 level1 lfo1"><![if !supportLists]><span style="mso-list:Ignore">·<span>&nbsp;&nbsp; </span></span><![endif]>One<o:p></o:p></p><p class=MsoListParagraphCxSpLast style="mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">o<span>&nbsp; </span></span>Inner</p><!--EndFragment--></body></html>',
    '## Report\n\nText with **bold**.\n\n- One\n  - Inner',
  ],
  [
    'Word: a title, an empty paragraph, a page break',
    '<p class=MsoTitle>Name</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>After.</p>',
    '## Name\n\nAfter.',
  ],
  [
    'LibreOffice Writer',
    '<meta http-equiv="content-type"/><style type="text/css">p { margin: 0 }</style><h2 class="western">Part</h2><p style="line-height:100%"><b>One</b> and <i>two</i></p><ol><li><p>First</p></li><li><p>Second</p></li></ol>',
    '## Part\n\n**One** and *two*\n\n1. First\n2. Second',
  ],
  [
    'LibreOffice Calc',
    '<table cellspacing="0" border="0"><colgroup width="85"></colgroup><tr><td height="17" align="left"><b>Name</b></td><td align="right">Amount</td></tr><tr><td>A</td><td sdval="12" align="right">12</td></tr></table>',
    '| **Name** | Amount |\n| --- | --- |\n| A | 12 |',
  ],
  [
    'Google Sheets',
    '<google-sheets-html-origin><style>td {border: 1px}</style><table xmlns="http://www.w3.org/1999/xhtml"><tbody><tr><td>Machine</td><td>Price</td></tr><tr><td>Anna</td><td>$449</td></tr></tbody></table></google-sheets-html-origin>',
    '| Machine | Price |\n| --- | --- |\n| Anna | $449 |',
  ],
  [
    'Excel',
    '<html><body><table><!--StartFragment--><tr height=20><td class=xl65>A</td><td>1</td></tr><tr><td>C</td><td>2</td></tr><!--EndFragment--></table></body></html>',
    '| A | 1 |\n| --- | --- |\n| C | 2 |',
  ],
  [
    'a web page',
    '<div class="post"><h1 style="color:red">Head</h1><p onclick="x()">A <a href="/b" target="_blank" rel="nofollow">link</a>.</p><script>alert(1)</script><blockquote><p>Words</p></blockquote></div>',
    '## Head\n\nA [link](/b).\n\n> Words',
  ],
  [
    'a WordPress block',
    '<!-- wp:paragraph --><p>Some <strong>text</strong>.</p><!-- /wp:paragraph --><!-- wp:list --><ul class="wp-block-list"><li>One</li></ul><!-- /wp:list -->',
    'Some **text**.\n\n- One',
  ],
  [
    'a mail with a safe link',
    '<div dir="ltr">Hello,<div><br></div><div>see <a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fb.example%2F&amp;data=1">here</a></div></div>',
    'Hello,\n\nsee [here](https://b.example/)',
  ],
  [
    'code',
    '<p><span style="font-family:Consolas,monospace">npm test</span> runs it.</p>',
    '`npm test` runs it.',
  ],
  ['a struck word', '<p><span style="text-decoration:line-through">old</span> new</p>', '~~old~~ new'],
  ['one word of a page', '<meta charset="utf-8"><span style="color: rgb(0, 0, 0);">word</span>', 'word'],
];

const links = (href: string) => ({ href });

it.each(CLIPBOARDS)('reads what is copied from %s', (_, html, markdown) =>
  expect(convertPasted(html, links).markdown.replace(/<!--[^>]*-->\s*/g, '')).toBe(markdown),
);

it('counts words, tables and pictures, and rewrites links', () => {
  const html =
    '<p>Two <a href="https://shop.example/a">words</a></p><img src="file:///C:/a.png"><table><tr><td>a</td></tr><tr><td>b</td></tr></table>';
  const pasted = convertPasted(html, () => ({ href: '/go/shop' }));
  expect(pasted).toMatchObject({ sources: [{ src: 'file:///C:/a.png', alt: '' }], tables: 1, words: 4 });
  expect(pasted.markdown).toContain('[words](/go/shop)');
});
