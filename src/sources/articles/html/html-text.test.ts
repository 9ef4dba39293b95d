import { expect, it } from 'vitest';
import { escapeHtml } from '../../../core/text/parse-text.ts';
import { extractText } from './html-text.ts';

it.each([
  ['<p>One</p><p>two</p>', 'One two'],
  ['<p>per<em>centage</em></p>', 'percentage'],
  ['<p>a &lt;b&gt; &amp;amp; &quot;c&quot;</p>', 'a <b> &amp; "c"'],
  ['<td>1</td><td>2</td>', '1 2'],
  ['a<br>b', 'a b'],
  ['a<script>x</script><style>y</style>b', 'a b'],
  ['AT&amp;T &#8217;s <b', 'AT&T ’s'],
])('extracts the text of %j as %j', (html, text) => expect(extractText(html)).toBe(text));

it('returns escaped text as it was', () => {
  const text = '<img src="x"> & &lt;';
  expect(extractText(escapeHtml(text))).toBe(text);
});

it('extracts at most so many characters', () => {
  expect(extractText('one two '.repeat(10_000), 11)).toBe('one two one');
  expect(extractText('&amp;'.repeat(10_000), 9_000)).toBe('&'.repeat(9_000));
  expect(extractText('&amp;'.repeat(10_000))).toBe('&'.repeat(10_000));
});
