import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { buildPartner } from '../../../test/support/console-ledger.ts';
import { NO_RULES } from '../../core/outbound/partner.ts';
import { ProgramRules } from './partner-view.tsx';

it('shows each rule with its source and day, and the subjects without a rule', () => {
  const source = 'https://www.acme.example/rules';
  const rules = {
    ...NO_RULES,
    comparisons: { allowed: 'ask', text: 'In <writing>.', source, checked: '2026-11-21' } as const,
    conditions: [{ text: 'Disclose.', source, checked: '2026-11-22' }],
  };
  const html = renderToStaticMarkup(<ProgramRules partner={buildPartner('acme', { rules })} />);
  expect(html).toContain('<dt>Comparisons with competitors</dt><dd>Ask first. In &lt;writing&gt;. ');
  expect(html).toContain(`<a href="${source}" rel="noopener noreferrer">www.acme.example</a>, 2026-11-21`);
  expect(html).toContain('<dt>Condition</dt><dd>Disclose. ');
  expect(html.split('not known, ask the program')).toHaveLength(5);
});
