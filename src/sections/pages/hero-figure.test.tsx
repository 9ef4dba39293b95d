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

it('the overall score of a rating is the mean of its scores', () =>
  expect(render('5/5')).toContain('>4.5</span>'));

it('scores on another scale have no overall score', () => expect(render('9/10')).not.toContain('overall'));
