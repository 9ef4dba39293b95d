import { expect, it } from 'vitest';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildCta, buildPartnerLink, choosePartner } from './cta.ts';

const partners = readSamplePartners();
const content = { partners, site: { promotedPartner: 'highlevel' } };
const cta = buildCta({ source: 'offer' }, content);

it.each([
  ['the partner of the link', { partner: 'kit' }, { partner: 'hubspot' }, 'kit'],
  ['the partner of the page when the link names none', {}, { partner: 'hubspot' }, 'hubspot'],
  ['the promoted partner when neither names one', {}, {}, 'highlevel'],
  ['the promoted partner when the page names an unknown one', {}, { partner: 'gone' }, 'highlevel'],
  [
    'the partner of the page when the link names an unknown one',
    { partner: 'gone' },
    { partner: 'kit' },
    'kit',
  ],
])('a link leads to %s', (_, link, page, expected) => {
  const { href } = buildPartnerLink(buildCta({ ...page, source: 'offer' }, content), {
    page: 'pricing',
    ...link,
  });
  expect(href).toBe(`/go/${expected}?page=pricing&source=offer`);
});

it('a link without any partner that exists is an error of the caller', () =>
  expect(() => choosePartner(partners, undefined, 'gone')).toThrow('[outbound]'));

it('a link to a trial uses the trial path of its partner, if there is one', () => {
  expect(buildPartnerLink(cta, { page: 'trial', partner: 'kit' }).href).toBe('/kit-trial?source=offer');
  expect(buildPartnerLink(cta, { page: 'trial' }).href).toBe('/go/highlevel?page=trial&source=offer');
});

it('source and event of a link come before those of its page', () => {
  expect(buildPartnerLink(cta, { page: 'pricing' })).toMatchObject({
    event: 'call_to_action',
    label: 'offer',
    source: 'offer',
  });
  expect(
    buildPartnerLink(cta, { page: 'pricing', source: 'hero', event: 'free_trial_signup', content: 'x' }),
  ).toEqual({
    href: '/go/highlevel?page=pricing&source=hero&content=x',
    event: 'free_trial_signup',
    label: 'hero',
    source: 'hero',
  });
});

it('no value of a link changes where its address leads', () => {
  const { href } = buildPartnerLink(cta, { page: 'a&b=c', source: '"><i>' });
  expect(href).toBe('/go/highlevel?page=a%26b%3Dc&source=%22%3E%3Ci%3E');
});
