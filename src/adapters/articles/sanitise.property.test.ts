import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findStrangeHtml } from '../../../test/support/article-html.ts';
import { sanitise } from '../../../test/support/article-setup.ts';
import { splitBody } from '../../core/articles/split-body.ts';

const PIECES = [
  ...[
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<h2>',
    '</h2>',
    '<h2 id=a>',
    '<table>',
    '<tr>',
    '<td>',
    '</td>',
    '</table>',
  ],
  ...[
    '<a href="#x">',
    '<a name=x>',
    '<a href=//e.example>',
    '</a>',
    '<img src=/a.png>',
    '<img src=x onerror=1>',
    '<br>',
  ],
  ...[
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<svg>',
    '</svg>',
    '<math>',
    '</math>',
    '<noscript>',
    '<template>',
  ],
  ...[
    '<iframe src="https://www.youtube.com/embed/abcdefghijk" title="t">',
    '</iframe>',
    '<figure>',
    '</figure>',
  ],
  ...[
    '<figure data-video="abcdefghijk">',
    '<div class=table-scroll>',
    '<div>',
    '</div>',
    '<textarea>',
    '<select>',
  ],
  ...[
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<',
    '>',
    '"',
    "'",
    '&',
    '&lt;',
    '&#x3C;',
    '\0',
    '\u202E',
    ' ',
    'text',
    '<x y=z>',
  ],
];

const html = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 30 })
    .map((pieces) => pieces.join('')),
);

it('whatever comes in, an article’s HTML comes out, every element closed', () => {
  fc.assert(
    fc.property(html, (input) => {
      const once = sanitise(input);
      expect(findStrangeHtml(once, ['images.example'])).toEqual([]);
      expect(splitBody(once).join('')).toBe(once);
    }),
    {
      numRuns: 3_000,
      examples: [
        ['<a name=x><a name=x><iframe src="https://www.youtube.com/embed/abcdefghijk" title="t">'],
        ['<a name=x>one</a><a name=x>two <a href="/terms">three</a> four</a>'],
      ],
    },
  );
});
