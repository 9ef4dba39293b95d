import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildCta } from '../../core/outbound/cta.ts';
import { ActionLink } from './action-links.tsx';

const cta = buildCta(
  { source: 'offer' },
  { partners: readSamplePartners(), site: { promotedPartner: 'highlevel' } },
);

it('a link of this site records the event that its document names, with its source', () => {
  const action = {
    label: 'Calculate',
    href: '/roi-calculator',
    event: 'tutorial_conversion',
    source: 'hero',
  } as const;
  expect(renderToStaticMarkup(<ActionLink action={action} cta={cta} />)).toContain(
    'data-action="tutorial_conversion" data-label="hero" data-source="hero"',
  );
});

it('a link of this site without an event records none', () => {
  const html = renderToStaticMarkup(<ActionLink action={{ label: 'Read', href: '/blog' }} cta={cta} />);
  expect(html).not.toContain('data-');
});
