import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FormContext } from '../frame/forms.tsx';
import { FileQuestions } from './cost-view.tsx';

it('chooses nothing that a file leaves open', () => {
  const column = { header: 'Extra', text: '', as: ['amount', 'saleAmount'], samples: ['3.10'] } as const;
  const html = renderToStaticMarkup(
    <FormContext value={{ token: 't', actions: new Set(['answer-costs']) }}>
      <FileQuestions
        of="answer-costs"
        upload="id"
        question={{ columns: [column], needs: ['currency', 'timeZone', 'dates', 'decimal'] }}
        timeZones={['UTC']}
        columns={[]}
        names={{ amount: 'Commission', saleAmount: 'Sale' }}
        hasAlike
        hasRepeated
      />
    </FormContext>,
  );
  const choices = html.match(/<select.*?<\/select>/gs) ?? [];
  expect(choices).toHaveLength(7);
  for (const choice of choices)
    expect(choice).toMatch(/<select[^>]* required=""[^>]*>\s*<option value=""[^>]*>Choose</);
});
