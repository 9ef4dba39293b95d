import { expect, it } from 'vitest';
import {
  buildViewRequest,
  createConsoleLedger,
  postChange,
  renderInFrame,
} from '../../../test/support/console-ledger.ts';
import { buildCsvLine } from '../../core/text/csv.ts';
import { buildTable } from '../reports/columns.ts';
import { noteActivity } from './note-activity.ts';
import { ACTIVITY_COLUMNS, readActivity, readAllActivity } from './read.ts';
import { ActivityView } from './view.tsx';

it('notes what a form has changed, with the subject of its view, and nothing of a form that was refused', async () => {
  const site = await createConsoleLedger();
  const post = (view: 'unmatched' | 'campaigns' | 'settings' | 'messages', fields: Record<string, string>) =>
    postChange(site, view, fields);
  const id = { partner: 'highlevel', account: 'main', id: '1003' };
  await post('unmatched', { action: 'dismiss', ...id });
  await post('unmatched', { action: 'dismiss', ...id, id: 'unknown' });
  await post('campaigns', {
    action: 'set-cost',
    campaign: 'google / cpc / brand',
    period: '2025-11',
    amount: '4321.98',
    currency: 'USD',
  });
  await post('settings', { action: 'preferences', digest: 'weekly', 'week-start': 'monday' });
  await post('messages', { action: 'delete-message', id: 'none' });
  const { rows } = await readActivity(site, buildViewRequest());
  expect(rows.map(({ operator, subject, text }) => [operator, subject, text])).toEqual([
    ['Ada', 'settings', 'Changed the digest and the first day of the week.'],
    ['Ada', 'commissions', expect.stringMatching(/^Changed the cost of google .* in 2025-11\.$/)],
    ['Ada', 'commissions', '1003 was dismissed. It counts in no report.'],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/4,?321/);
  const settings = await readActivity(site, buildViewRequest({ search: 'about=settings' }));
  expect([settings.total, settings.rows.length]).toEqual([1, 1]);
});

it('shows what was written in names as text, and exports no formula', async () => {
  const site = await createConsoleLedger();
  const viewer = { kind: 'operator', id: 'o-2', name: '=1+1<script>', capabilities: [] } as const;
  await noteActivity(site, viewer, 'content', 'Saved content/<b>.yaml.', '/console/content/site.yaml');
  const model = await readActivity(site, buildViewRequest());
  const html = renderInFrame(<ActivityView model={model} />, {
    parameters: '',
    exportHref: null,
    viewer: buildViewRequest().viewer,
  });
  expect(html).toContain('<a href="/console/content/site.yaml">Saved content/&lt;b&gt;.yaml.</a>');
  expect(html).not.toMatch(/<script>|<b>/);
  const table = buildTable((await readAllActivity(site, buildViewRequest())).rows, ACTIVITY_COLUMNS);
  expect(buildCsvLine([...table.rows][0] ?? [])).not.toMatch(/(?:^|,)"?=/);
});

it('changes what was asked for although the log cannot be written', async () => {
  const site = await createConsoleLedger();
  Object.assign(site.operators.activity, { add: () => Promise.reject(new Error('the disk is full')) });
  const { viewer } = buildViewRequest();
  await expect(noteActivity(site, viewer, 'content', 'Saved.')).resolves.toBeUndefined();
});
