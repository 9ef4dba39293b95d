import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { buildViewRequest, renderInFrame } from '../../../test/support/console-ledger.ts';
import { NO_FIGURE } from '../reports/format.ts';
import type { CommissionRow } from '../reports/select-entries.ts';
import { DataTable } from './data-table.tsx';
import { CommissionLink } from './links.tsx';

it.each([
  ['c-1', '/console/commissions/kit/c-1?account=second'],
  ['a/b', '/console/commissions?q=a%2Fb'],
  ['..', '/console/commissions?q=..'],
])('a commission with the id %j is at %s', (id, href) => {
  const row = { partner: 'kit', account: 'second', id } as CommissionRow;
  expect(renderToStaticMarkup(<CommissionLink row={row} />)).toContain(`href="${href}"`);
});

it('marks each cell without a figure, which rows on phones leave out', () => {
  const columns = [
    { name: 'Page', render: (page: string) => page },
    { name: 'Clicks', render: () => NO_FIGURE },
  ];
  const html = renderInFrame(
    <DataTable
      caption="Pages"
      columns={columns}
      rows={['/a']}
      getKey={(page) => page}
      footer={['All', NO_FIGURE]}
    />,
    { rest: [], parameters: '', viewer: buildViewRequest().viewer },
  );
  expect(html.match(/<span class="no-figure">–<\/span>/g)).toHaveLength(2);
});
