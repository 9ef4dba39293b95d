import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readSampleAssessment, readSampleClaims } from '../../../test/support/sample-content.ts';
import { AssessmentProof } from './assessment-hero.tsx';

const { intro } = readSampleAssessment().copy;
const render = (claims: readonly string[]) =>
  renderToStaticMarkup(
    <AssessmentProof intro={{ ...intro, claims: [...claims] }} claims={readSampleClaims()} samples={false} />,
  );

it('shows the heading of the claims only where there are claims', () => {
  expect(render(intro.claims)).toContain(intro.claimsTitle);
  expect(render([])).toBe('');
});

it.each([true, false])('says of quotations that are samples: %s, that no customer said them', (sample) => {
  const testimonials = intro.testimonials.slice(0, 1).map((one) => ({ ...one, sample, origin: 'A letter' }));
  const html = renderToStaticMarkup(
    <AssessmentProof intro={{ ...intro, testimonials }} claims={new Map()} samples />,
  );
  expect(html.includes('No customer said this.')).toBe(sample);
});
