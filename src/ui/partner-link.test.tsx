import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PartnerLink } from './partner-link.tsx';

const render = (link: Parameters<typeof PartnerLink>[0]) => renderToStaticMarkup(<PartnerLink {...link} />);

describe('a partner link', () => {
  it('leads to the redirect, opens a new tab and says so, and is marked as paid', () => {
    expect(render({ source: 'hero', action: 'free_trial_signup', page: 'trial', children: 'Start' })).toBe(
      '<a href="/go/highlevel?page=trial&amp;source=hero" target="_blank" rel="sponsored noopener" ' +
        'data-action="free_trial_signup" data-label="hero" data-source="hero">' +
        'Start<span class="sr-only"> (opens in a new tab)</span></a>',
    );
  });

  it('goes to pricing and records a call to action unless told otherwise', () => {
    const html = render({ children: 'See prices' });
    expect(html).toContain('href="/go/highlevel?page=pricing"');
    expect(html).toContain('data-action="call_to_action" data-label="pricing"');
  });

  it('carries custom content, label, value and data', () => {
    const html = render({
      path: '/kit-trial',
      content: 'assessment_recommendation',
      label: 'Course Creator_to_Kit',
      value: 1,
      data: { business_type: 'Course Creator/Coach' },
      children: 'Try Kit',
    });
    expect(html).toContain('href="/kit-trial?content=assessment_recommendation"');
    expect(html).toContain('data-label="Course Creator_to_Kit" data-value="1"');
    expect(html).toContain('data-business-type="Course Creator/Coach"');
  });

  it('carries answers for a visit without storage', () => {
    expect(render({ path: '/kit-trial', answers: '{"budget":"$1,000+"}', children: 'Try Kit' })).toContain(
      'href="/kit-trial?answers=%7B%22budget%22%3A%22%241%2C000%2B%22%7D"',
    );
  });

  it('cannot be led elsewhere by its values', () => {
    expect(render({ partner: '../x', page: 'a&b=c', source: '"><i>', children: 'x' })).toContain(
      'href="/go/..%2Fx?page=a%26b%3Dc&amp;source=%22%3E%3Ci%3E"',
    );
  });
});
