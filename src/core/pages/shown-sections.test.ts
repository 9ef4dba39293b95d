import { expect, it } from 'vitest';
import { sectionSchema } from './sections/section.schema.ts';
import { isPublished, listShownSections } from './shown-sections.ts';

const newsletter = sectionSchema.parse({
  type: 'newsletter',
  id: 'letter',
  consent: 'Send me the letter.',
  button: 'Sign me up',
  thanks: 'Confirm your address.',
});
const nav = sectionSchema.parse({
  type: 'section-nav',
  label: 'On this page',
  items: [
    { label: 'Letter', to: 'letter' },
    { label: 'Questions', to: 'questions' },
  ],
});
const quickLinks = [{ label: 'Letter', href: '#letter' }];
const page = { sections: [nav, newsletter], quickLinks };

it('leaves out a newsletter section without a provider, and every link to it', () => {
  const shown = listShownSections(page, { samples: true, hasNewsletter: false });
  expect(shown.sections).toMatchObject([{ type: 'section-nav', items: [{ to: 'questions' }] }]);
  expect(shown.quickLinks).toEqual([]);
});

it('shows a newsletter section with a provider', () =>
  expect(listShownSections(page, { samples: false, hasNewsletter: true })).toEqual(page));

it('keeps the place of hidden samples that have a title', () => {
  const items = [{ quote: 'It works.', name: 'Sample', company: 'Example', sample: true }];
  const untitled = sectionSchema.parse({ type: 'testimonials', items });
  const titled = sectionSchema.parse({ type: 'testimonials', id: 'stories', title: 'Stories', items });
  const show = (samples: boolean) =>
    listShownSections({ sections: [untitled, titled], quickLinks: [] }, { samples, hasNewsletter: true })
      .sections;
  expect(show(false)).toEqual([titled]);
  expect(show(true)).toEqual([untitled, titled]);
});

it('refuses a newsletter section without a text to agree to', () => {
  const { consent: _, ...section } = { ...newsletter, consent: '' };
  expect(sectionSchema.safeParse(section).error?.issues).toMatchObject([{ path: ['consent'] }]);
});

const NOON = Date.parse('2026-11-20T12:00:00Z');

it.each([
  [{ draft: false }, true],
  [{ draft: true }, false],
  [{ draft: false, publishedAt: '2026-11-20' }, true],
  [{ draft: false, publishedAt: '2026-11-20T13:30:00+02:00' }, true],
  [{ draft: false, publishedAt: '2026-11-21' }, false],
  [{ draft: true, publishedAt: '2026-11-01' }, false],
])('a page with %j is public at noon of 2026-11-20: %s', (page, expected) => {
  expect(isPublished(page, NOON)).toBe(expected);
});
