import { expect, it } from 'vitest';
import { sectionSchema } from './sections/section.schema.ts';
import { listShownSections } from './shown-sections.ts';

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
  const shown = listShownSections(page, { samples: 'show', hasNewsletter: false });
  expect(shown.sections).toMatchObject([{ type: 'section-nav', items: [{ to: 'questions' }] }]);
  expect(shown.quickLinks).toEqual([]);
});

it('shows a newsletter section with a provider', () => {
  expect(listShownSections(page, { samples: 'hide', hasNewsletter: true })).toEqual(page);
});

it('refuses a newsletter section without a text to agree to', () => {
  const { consent: _, ...section } = { ...newsletter, consent: '' };
  expect(sectionSchema.safeParse(section).error?.issues).toMatchObject([{ path: ['consent'] }]);
});
