import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ArticleCard } from './cards/article-card.tsx';
import { keepWhole, keepWholeHtml } from './whole-words.tsx';

it.each([
  ['takes 1-2 weeks', '1-2'],
  ['saves $400-800 a month', '$400-800'],
  ['what CAN-SPAM asks for', 'CAN-SPAM'],
  ['see ActiveCampaign add-ons.', 'add-ons'],
  ['(missed-call)', 'missed-call'],
  ['an out-of-office answer', 'out-of-office'],
  ['the round-the-clock desk', 'round-the-clock'],
  ['an E-Mail-Öffner', 'E-Mail-Öffner'],
])('no line ends at a hyphen in %s', (text, part) => {
  const whole = text.replace(part, `<span class="whole">${part}</span>`);
  expect(renderToStaticMarkup(keepWhole(text))).toBe(whole);
  expect(keepWholeHtml(`<p title="${part}">${text}</p>`)).toBe(`<p title="${part}">${whole}</p>`);
});

it.each([
  'a marketing-automation suite',
  '/go/my-1-page',
  'https://a.example/2026-04-09',
  'youtube-nocookie.com',
  'x - 3',
  '$5 -3',
])('other words wrap: %s', (text) => {
  expect(renderToStaticMarkup(keepWhole(text))).toBe(text);
  expect(keepWholeHtml(text)).toBe(text);
});

it.each([
  ['<code>in-conversation.example</code>', '<code class="whole">in-conversation.example</code>'],
  ['<code>an opt-in</code>', '<code>an <span class="whole">opt-in</span></code>'],
  [`<code>${'a'.repeat(25)}</code>`, `<code>${'a'.repeat(25)}</code>`],
  ['<pre><code>opt-in</code></pre>', '<pre><code>opt-in</code></pre>'],
])('short code stays on one line, and code to copy as it is: %s', (html, whole) =>
  expect(keepWholeHtml(html)).toBe(whole),
);

it('a card keeps words whole in its title and its text', () => {
  const content = { slug: 'a', href: '/a', categories: [], author: '', readingTime: 1, image: null };
  const card = { ...content, date: { iso: '', text: '' }, title: 'Opt-in', excerpt: 'Per-seat. No add-on.' };
  expect(renderToStaticMarkup(<ArticleCard content={card} />).match(/(?<="whole">)[^<]+/g)).toEqual([
    'Opt-in',
    'Per-seat',
    'add-on',
  ]);
});
