import { expect, it } from 'vitest';
import { readSamplePartners, SHIPPED_CONTENT } from '../../test/support/sample-content.ts';
import { ContentFolder } from './content-folder.ts';
import { readNetworks, readShippedNetworks } from './networks.ts';

const OWN = {
  format: 1,
  title: 'Acme',
  sources: [{ text: 'acme.example/docs', day: '2026-11-20' }],
  reversal: 'unknown',
  push: {
    own: { field: 'acme_id' },
    rules: [{ record: { id: 'acme_id', amount: 'earned', status: [{ field: 'state' }] } }],
  },
  messages: [
    {
      name: 'a sale',
      is: 'composed',
      query: 'acme_id=1&earned=5.00',
      becomes: { id: 1, status: 'pending', amount: 500, currency: 'USD' },
    },
  ],
};

const readOwn = (file: unknown, network = 'acme') => {
  const folder = new ContentFolder(SHIPPED_CONTENT, new Map([['networks/acme.yaml', file]]));
  const [[key, partner] = []] = readSamplePartners();
  if (key === undefined || partner === undefined) throw new Error('no partner ships');
  const partners = new Map([[key, { ...partner, terms: { ...partner.terms, network } }]]);
  const networks = readNetworks(folder, partners);
  return { networks, problems: folder.problems.map(({ reason }) => reason) };
};

it('reads the networks of the content folder beside those that ship', () => {
  const { networks, problems } = readOwn(OWN);
  expect(problems).toEqual([]);
  expect([networks.get('acme')?.title, networks.size]).toEqual(['Acme', readShippedNetworks().size + 1]);
});

it.each([
  ['a field that no file has', { ...OWN, titel: 'Acme' }, 'did you mean "title"?'],
  ['a later format', { ...OWN, format: 2 }, 'must be 1'],
  ['a file that says nothing of a reversal', { ...OWN, reversal: undefined }, 'reversal: unknown'],
  ['an interface without https', { ...OWN, interface: { url: 'http://a.example' } }, 'https://'],
])('refuses %s', (_, file, reason) => {
  expect(readOwn(file).problems.join()).toContain(reason);
});

it('names the network that a partner may have meant', () => {
  expect(readOwn(OWN, 'acne').problems.join()).toContain('no network is called "acne"; did you mean "acme"?');
});
