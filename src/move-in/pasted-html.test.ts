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
  [
    'Google Docs: bold and italic in a link',
    '<b style="font-weight:normal" id="docs-internal-guid-3"><p dir="ltr"><a href="https://a.example/x"><span style="font-weight:700;font-style:italic;text-decoration:underline">Both</span></a><span> here</span></p></b>',
    '[***Both***](https://a.example/x) here',
  ],
  [
    'Google Docs: a picture and a checklist',
    '<b style="font-weight:normal"><p dir="ltr"><span><span style="border:none;display:inline-block;width:600px"><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nX?key=a" width="600" height="400" style="margin-left:0"/></span></span></p><ul><li dir="ltr" role="checkbox" aria-checked="true"><img src="data:image/png;base64,iVBORw0KGgo=" width="17.6px" height="17.6px" alt="checked" role="presentation"/><p dir="ltr"><span>Done</span></p></li></ul></b>',
    '![](pasted/0)\n\n- Done',
  ],
  [
    'Google Docs: numbers with parts',
    '<b style="font-weight:normal"><ol><li dir="ltr"><p><span>One</span></p></li><ol><li dir="ltr"><p><span>Inner</span></p></li></ol><li><p><span>Two</span></p></li></ol></b>',
    '1. One\n   1. Inner\n2. Two',
  ],
  [
    'Word: numbers',
    "<!--StartFragment--><p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>First<o:p></o:p></p><p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>2.<span>&nbsp; </span></span><![endif]>Second<o:p></o:p></p><p class=MsoNormal>After.</p><!--EndFragment-->",
    '1. First\n2. Second\n\nAfter.',
  ],
  [
    'Word: a table',
    "<table class=MsoTableGrid border=1 style='border-collapse:collapse'><tr style='mso-yfti-irow:0'><td width=100 valign=top style='width:75.0pt'><p class=MsoNormal><b>Plan<o:p></o:p></b></p></td><td><p class=MsoNormal>Price<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>Basic</p><p class=MsoNormal>yearly</p></td><td><p class=MsoNormal>$5</p></td></tr></table>",
    '| **Plan** | Price |\n| --- | --- |\n| Basic<br>yearly | $5 |',
  ],
  [
    'Word: a picture of the disk',
    '<p class=MsoNormal><!--[if gte vml 1]><v:shape id="x"><v:imagedata src="file:///C:/t/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=604 height=340 src="file:///C:/t/clip_image002.jpg" alt="A machine" v:shapes="x"><![endif]></p>',
    '![A machine](pasted/0)',
  ],
  [
    'Word: a link and a heading of the second level',
    '<h2><span style=\'mso-fareast-font-family:"Times New Roman"\'>Part<o:p></o:p></span></h2><p class=MsoNormal>See <a href="https://a.example/x"><span class=MsoHyperlink>this page</span></a>.<o:p></o:p></p>',
    '## Part\n\nSee [this page](https://a.example/x).',
  ],
  [
    'Word for the web',
    '<div class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1" role="heading" aria-level="2"><span class="TextRun" style="font-weight:bold"><span class="NormalTextRun">Part</span></span><span class="EOP">&nbsp;</span></p></div><div class="ListContainerWrapper"><ul class="BulletListStyle1"><li class="OutlineElement"><p class="Paragraph"><span class="TextRun"><span class="NormalTextRun">One</span></span><span class="EOP">&nbsp;</span></p></li></ul></div>',
    '## Part\n\n- One',
  ],
  [
    'LibreOffice Writer: a whole document',
    '<!DOCTYPE html><html><head><style type="text/css">h1 { margin: 0 }</style></head><body lang="en-US" link="#000080" vlink="#800000" dir="ltr"><h1 class="western"> Espresso at home</h1> <p>Text with <b>bold</b>, <i>thin</i> and <a href="https://shop.example/a">a link</a>.</p> <h2 class="western">Parts</h2> <ul> <li><p style="margin-bottom: 0in">One</p> <ul> <li><p style="margin-bottom: 0in">Inner</p> </ul> <li><p>Two</p> </ul> <ol> <li><p style="margin-bottom: 0in">First</p> <li><p>Second</p> </ol> <table width="93" cellpadding="2" cellspacing="0"> <col width="44"/> <col width="41"/> <tr> <th width="44" style="border: none; padding: 0in"><p>Name</p> </th> <th width="41" style="border: none; padding: 0in"><p>Price</p> </th> </tr> <tr> <td width="44" style="border: none; padding: 0in"><p>Anna</p> </td> <td width="41" style="border: none; padding: 0in"><p>$449</p> </td> </tr> </table> <blockquote>Words of others</blockquote> </body> </html>',
    '## Espresso at home\n\nText with **bold**, *thin* and [a link](https://shop.example/a).\n\n## Parts\n\n- One\n  - Inner\n- Two\n\n1. First\n2. Second\n\n| Name | Price |\n| --- | --- |\n| Anna | $449 |\n\n> Words of others',
  ],
  [
    'LibreOffice Calc: dates, numbers and a bar',
    '<body> <table cellspacing="0" border="0"> <colgroup width="68"></colgroup> <colgroup width="42"></colgroup> <colgroup width="77"></colgroup> <tr> <td height="17" align="left">Machine</td> <td align="left">Price</td> <td align="left">Seen</td> </tr> <tr> <td height="17" align="left">Anna</td> <td align="right" sdval="449.5" sdnum="1033;">449.5</td> <td align="right" sdval="46024" sdnum="1033;0;YYYY-MM-DD">2026-01-02</td> </tr> <tr> <td height="17" align="left">Pipe | bar</td> <td align="right" sdval="12" sdnum="1033;">12</td> <td align="right" sdval="46056" sdnum="1033;0;YYYY-MM-DD">2026-02-03</td> </tr> </table> <!-- ************************************************************************** --> </body> </html> ',
    '| Machine | Price | Seen |\n| --- | --- | --- |\n| Anna | 449.5 | 2026-01-02 |\n| Pipe \\| bar | 12 | 2026-02-03 |',
  ],
  [
    'Pages',
    '<meta charset="UTF-8"><p class="p1" style="margin:0;font:normal 24px Helvetica Neue"><b>Bold start</b><span class="Apple-converted-space">&nbsp;</span>and text</p><p class="p2" style="min-height:13px"><br></p><ul class="ul1"><li class="li1"><span class="s1"></span>One</li></ul>',
    '**Bold start** and text\n\n- One',
  ],
  [
    'Google Sheets: a link and joined cells',
    '<google-sheets-html-origin><table data-sheets-root="1"><colgroup><col width="100"></colgroup><tbody><tr><td colspan="2" data-sheets-value="{}">Both</td></tr><tr><td><a class="in-cell-link" target="_blank" href="https://a.example/x">A</a></td><td style="font-weight:bold">2</td></tr></tbody></table></google-sheets-html-origin>',
    '| Both |  |\n| --- | --- |\n| [A](https://a.example/x) | **2** |',
  ],
  [
    'Excel: a link and a struck price',
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>.xl65 {font-weight:700}</style></head><body><table border=0><col width=64><!--StartFragment--><tr><td>Name</td><td>Price</td></tr><tr><td><a href="https://a.example/">Anna</a></td><td><s>$5</s> $4</td></tr><!--EndFragment--></table></body></html>',
    '| Name | Price |\n| --- | --- |\n| [Anna](https://a.example/) | ~~$5~~ $4 |',
  ],
  [
    'a web page with pictures that load late',
    '<article><h2>Head</h2><figure><img src="data:image/gif;base64,R0lGOD" data-src="https://a.example/p.jpg" alt="A pan" srcset="https://a.example/p-2.jpg 2x"><figcaption>A caption</figcaption></figure><p>Text<img src="https://count.example/x.gif" width="1" height="1"></p></article>',
    '## Head\n\n![A pan](pasted/0)\n\nA caption\n\nText',
  ],
  [
    'a web page with code',
    '<h3>Run</h3><pre><code class="language-sh">npm ci\nnpm start</code></pre><p>Use <kbd>Ctrl</kbd>.</p>',
    '### Run\n\n```\nnpm ci\nnpm start\n```\n\nUse `Ctrl`.',
  ],
  [
    'WordPress: blocks with a picture and buttons',
    '<!-- wp:heading {"level":2} --><h2 class="wp-block-heading">Head</h2><!-- /wp:heading --><!-- wp:image {"id":12} --><figure class="wp-block-image size-large"><img src="https://a.example/wp-content/uploads/p-1024x683.jpg" alt="A pan" class="wp-image-12"/></figure><!-- /wp:image --><!-- wp:buttons --><div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="https://a.example/buy">Buy</a></div></div><!-- /wp:buttons -->',
    '## Head\n\n![A pan](pasted/0)\n\n[Buy](https://a.example/buy)',
  ],
  [
    'the classic WordPress editor',
    '<p>Text with an <strong>old</strong> picture:</p><p><a href="https://a.example/p.jpg"><img class="alignnone size-medium wp-image-7" src="https://a.example/p-300x200.jpg" alt="" width="300" height="200" /></a></p><p>&nbsp;</p><ol><li>One</li></ol>',
    'Text with an **old** picture:\n\n[![](pasted/0)](https://a.example/p.jpg)\n\n1. One',
  ],
  [
    'Notion',
    "<meta charset='utf-8'><h1>Head</h1>\n<p>Some <strong>bold</strong> and <code>code</code></p>\n<ul>\n<li>One\n<ul>\n<li>Inner</li>\n</ul>\n</li>\n</ul>\n<!-- notionvc: 0b0c -->",
    '## Head\n\nSome **bold** and `code`\n\n- One\n  - Inner',
  ],
  [
    'Notion: tasks and a table',
    '<ul class="contains-task-list"><li><input type="checkbox" disabled checked>Done</li></ul><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    '- Done\n\n| A | B |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'Gmail',
    '<div dir="ltr">Hello <img data-emoji="😀" class="an1" alt="😀" src="https://fonts.gstatic.com/s/e/notoemoji/15.0/1f600/72.png"><div><br></div><div>See <a href="https://www.google.com/url?q=https://b.example/&amp;source=gmail" target="_blank">this</a>.</div><img src="https://track.example/open" width="1" height="1"></div>',
    'Hello 😀\n\nSee [this](https://b.example/).',
  ],
  [
    'Outlook',
    '<div class=WordSection1><p class=MsoNormal>Hello,<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>see <a href="https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fb.example%2Fx&amp;data=05">the page</a> and <img src="cid:image001.png@01DB" alt="Logo"><o:p></o:p></p></div>',
    'Hello,\n\nsee [the page](https://b.example/x) and ![Logo](pasted/0)',
  ],
  [
    'Medium',
    '<h3 name="a" class="graf graf--h3">Head</h3><p class="graf graf--p">A <em class="markup--em">thin</em> <a href="https://a.example/" data-href="https://a.example/" class="markup--anchor" rel="noopener">link</a></p><figure class="graf graf--figure"><img class="graf-image" src="https://cdn-images-1.medium.com/max/800/1*a.png"></figure><blockquote class="graf graf--blockquote">Words</blockquote>',
    '### Head\n\nA *thin* [link](https://a.example/)\n\n![](pasted/0)\n\n> Words',
  ],
  [
    'Substack',
    '<p>First.</p><div class="captioned-image-container"><figure><a class="image-link image2" target="_blank" href="https://substackcdn.com/image/fetch/a.png"><div class="image2-inset"><picture><source type="image/webp" srcset="https://substackcdn.com/a.webp 424w"><img src="https://substackcdn.com/image/fetch/a.png" alt="A chart" width="1456" height="900"></picture></div></a></figure></div><p class="button-wrapper"><a class="button primary" href="https://a.substack.com/subscribe"><span>Subscribe</span></a></p>',
    'First.\n\n[![A chart](pasted/0)](https://substackcdn.com/image/fetch/a.png)\n\n[Subscribe](https://a.substack.com/subscribe)',
  ],
  [
    'Ghost',
    '<h2 id="head">Head</h2><figure class="kg-card kg-image-card"><img src="https://g.example/content/images/2026/01/p.jpg" class="kg-image" alt="A pan" loading="lazy" width="1000" height="600"></figure><hr><p>End <s>old</s>.</p>',
    '## Head\n\n![A pan](pasted/0)\n\n---\n\nEnd ~~old~~.',
  ],
  [
    'Ghost: a bookmark',
    '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://b.example/"><div class="kg-bookmark-content"><div class="kg-bookmark-title">A title</div></div></a></figure><p>After</p>',
    '[A title](https://b.example/)\n\nAfter',
  ],
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
