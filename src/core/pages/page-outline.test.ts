import { expect, it } from 'vitest';
import { buildPageOutline } from './page-outline.ts';

it('lists the parts of a page from top to bottom with the places of their links', () => {
  const outline = buildPageOutline({
    header: 'landing',
    cta: {
      partnerLink: 'trial',
      source: 'cta',
      event: 'call_to_action',
      label: 'Start',
      headerSource: 'top',
    },
    sections: [
      {
        type: 'hero',
        title: 'Save ==time== with {plan:starter}',
        actions: [
          { label: 'Start', partnerLink: 'trial', source: 'hero' },
          { label: 'Read', href: '#more' },
        ],
      },
      { type: 'prose', html: '' },
      {
        type: 'cards',
        id: 'plans',
        title: 'Plans',
        items: [{ title: 'One', action: { label: 'Start', partnerLink: 'trial' } }],
      },
      { type: 'savings-calculator', calculator: 'trial' },
    ] as never,
  });
  expect(outline).toEqual([
    { name: 'Header', position: 'header', sources: ['top'] },
    { name: 'Save time with …', position: 'hero', sources: ['hero'] },
    { name: 'Prose', position: 'prose', sources: [] },
    { name: 'Plans', position: 'plans', sources: ['cta'] },
    { name: 'Savings calculator', position: 'savings-calculator', sources: ['cta'] },
  ]);
});

it('has no header without a button in it', () => {
  const sections = [{ type: 'prose', title: 'Text' }] as never;
  expect(buildPageOutline({ header: 'default', cta: undefined, sections })).toEqual([
    { name: 'Text', position: 'prose', sources: [] },
  ]);
});

it('names a section without a title by its type, in words, and the menu of the page as readers call it', () => {
  const sections = [{ type: 'section-nav', items: [] }, { type: 'pricing-plans' }] as never;
  expect(buildPageOutline({ header: 'default', cta: undefined, sections })).toEqual([
    { name: 'Page menu', position: 'section-nav', sources: [] },
    { name: 'Pricing plans', position: 'pricing-plans', sources: [] },
  ]);
});
