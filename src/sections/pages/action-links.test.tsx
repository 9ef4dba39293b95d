import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildCta } from '../../core/outbound/cta.ts';
import iconPaths from '../../ui/icon-paths.json' with { type: 'json' };
import { ActionLink, CheckedPoints } from './action-links.tsx';

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

it('a fact in place of a claim is no point in favor', () => {
  const points = ['Two weeks', '[Have a card ready](#says-card)', 'No card[†](#says-card)'];
  const html = renderToStaticMarkup(<CheckedPoints points={points} cta={cta} className="" />);
  const marks = html.split('<li').slice(1);
  const names = Object.entries(iconPaths);
  expect(marks.map((mark) => names.find(([, path]) => mark.includes(`"${path}"`))?.[0])).toEqual([
    'check',
    'arrow-right',
    undefined,
  ]);
  expect(marks[2]).toContain('≠');
});
