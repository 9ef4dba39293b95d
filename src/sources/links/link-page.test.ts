import { expect, it } from 'vitest';
import { readLinkPage } from './link-page.ts';

it('reads the title, the first heading and the words that a reader with scripts sees', () => {
  const html =
    '<title>Plans</title><h1>Our <b>plans</b></h1><style>p{}</style><p>Starter</p><p>$97</p><h1>More</h1>' +
    '<noscript>Switch scripts on</noscript><svg><title>Icon</title></svg><script>run()</script>';
  expect(readLinkPage(html)).toMatchObject({
    title: 'Plans',
    heading: 'Our plans',
    text: 'Our plans Starter $97 More',
  });
});

it.each([
  ['0; url=/plans', '/plans'],
  ['10;URL="/plans"', '/plans'],
  ['11; url=/plans', null],
  ['5', null],
])('of a refresh by %j, it follows %s', (content, expected) => {
  expect(readLinkPage(`<meta http-equiv="Refresh" content='${content}'>`).refresh).toBe(expected);
});

it('follows no refresh that readers with scripts do not see', () => {
  const html = '<noscript><meta http-equiv="refresh" content="0;url=/no-scripts"></noscript>';
  expect(readLinkPage(html).refresh).toBeNull();
});

it('reads the offers of structured data at any depth, with the name of what they are part of', () => {
  const data = {
    '@graph': [
      { '@type': 'Product', name: 'Pro', offers: [{ '@type': 'Offer', price: 97, priceCurrency: 'USD' }] },
      {
        '@type': 'https://schema.org/AggregateOffer',
        name: 'Team',
        lowPrice: '1,097.00',
        priceCurrency: 'EUR',
      },
      { '@type': 'Offer', name: 'Free', priceCurrency: 'USD' },
    ],
  };
  const html = `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
  expect(readLinkPage(html).offers).toEqual([
    { name: 'Pro', price: '97', currency: 'USD' },
    { name: 'Team', price: '1097.00', currency: 'EUR' },
  ]);
});
