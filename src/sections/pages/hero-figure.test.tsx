import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { PageContext } from '../../core/pages/page-context.ts';
import { HeroFigureView } from './hero-figure.tsx';

const render = (score: string) =>
  renderToStaticMarkup(
    <HeroFigureView
      figure={{
        kind: 'rating',
        subject: 'A product',
        rows: [
          { label: 'Value', score },
          { label: 'Ease', score: '4/5' },
        ],
        isTotalShown: true,
        facts: [],
        verdict: 'Good.',
      }}
      context={{ cta: {} } as PageContext}
    />,
  );

it('a calendar counts its days through all blocks, and names each block once, at its first day', () => {
  const html = renderToStaticMarkup(
    <HeroFigureView
      figure={{
        kind: 'calendar',
        caption: 'Days',
        blocks: [
          { title: 'Set up', days: ['Domain', 'Import'] },
          { title: 'Decide', days: ['Keep it'] },
        ],
        bill: {
          caption: 'Day 4',
          unit: 'Example',
          rows: [{ label: 'Plan', amount: '$97', detail: 'May 5' }],
          total: { label: 'Sum', amount: '$97' },
        },
        sign: { label: 'Cancel', amount: '$0' },
        advice: 'Start early.',
      }}
      context={{ cta: {} } as PageContext}
    />,
  );
  const days = [
    ...html.matchAll(/<li( data-block="")?>(?:<strong>([^<]*)<\/strong>)? ?<b>(\d+)<\/b> ?<span>([^<]*)/g),
  ];
  expect(days.map(([, , block, day, task]) => [block, day, task])).toEqual([
    ['Set up', '1', 'Domain'],
    [undefined, '2', 'Import'],
    ['Decide', '3', 'Keep it'],
  ]);
});

it('the overall score of a rating is the mean of its scores', () =>
  expect(render('5/5')).toContain('>4.5</span>'));

it('scores on another scale have no overall score', () => expect(render('9/10')).not.toContain('overall'));
