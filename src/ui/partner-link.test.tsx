import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PartnerLink } from './partner-link.tsx';

const render = (link: Partial<Parameters<typeof PartnerLink>[0]>) =>
  renderToStaticMarkup(
    <PartnerLink href="/go/acme?page=trial" event="free_trial_signup" label="hero" source="hero" {...link}>
      Start
    </PartnerLink>,
  );

it('a partner link is marked as sponsored, opens a new tab and announces it', () =>
  expect(render({})).toBe(
    '<a href="/go/acme?page=trial" target="_blank" rel="sponsored noopener" ' +
      'data-action="free_trial_signup" data-label="hero" data-source="hero">' +
      'Start<span class="sr-only"> (opens in a new tab)</span></a>',
  ));

it('a partner link names its position in its address, where scripts do not run either', () =>
  expect(render({ position: 'plans-starter' })).toContain(
    'href="/go/acme?page=trial&amp;position=plans-starter"',
  ));

it('a partner link carries the value and the custom data of its event', () => {
  const html = render({
    label: 'Course Creator_to_Kit',
    value: 1,
    data: { business_type: 'Course Creator/Coach' },
  });
  expect(html).toContain('data-label="Course Creator_to_Kit" data-value="1"');
  expect(html).toContain('data-business-type="Course Creator/Coach"');
});

it('a partner link escapes its values', () =>
  expect(render({ source: '"><i>' })).toContain('data-source="&quot;&gt;&lt;i&gt;"'));
