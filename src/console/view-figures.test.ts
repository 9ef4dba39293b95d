// The figures of Partners and Assessment against the functions of the ledger, and their exports.
import { expect, it } from 'vitest';
import { buildPartner, buildViewRequest, createTestConsole } from '../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../test/support/memory-stores.ts';
import { buildSampleEntry } from '../../test/support/sample-commissions.ts';
import { readSampleAssessment } from '../../test/support/sample-content.ts';
import { DAY_MS } from '../core/clock.ts';
import {
  buildCommissionReport,
  type ReportClock,
  type ReportQuery,
} from '../core/commissions/credit/commission-report.ts';
import { CREDIT_MODELS, type CreditModel } from '../core/commissions/credit/credit.ts';
import type { LedgerEntry } from '../core/commissions/ledger/build-ledger.ts';
import { getBooked } from '../core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../core/commissions/money.ts';
import { readAnswerTable, readAssessment } from './assessment/read.ts';
import { readCampaigns } from './campaigns/read.ts';
import { readCommissions } from './commissions/read.ts';
import { readOverview } from './overview/read.ts';
import { readPages } from './pages/read.ts';
import { PARTNER_COLUMNS, readPartnerLines, readPartners } from './partners/read.ts';
import { readPlacements } from './placements/read.ts';
import { buildTable } from './reports/columns.ts';
import { getPeriod } from './reports/select-entries.ts';
import { readSources } from './sources/read.ts';

const FROM = '2026-03-01';
const TO = '2026-03-28';
const NOW = Date.parse('2026-05-01T00:00:00Z');
const PARTNERS = ['highlevel', 'kit', 'hubspot'] as const;
const STATUSES = ['approved', 'pending', 'paid', 'reversed'] as const;
const CODES = ['agency', 'store', 'coach'] as const;
const SOURCES = ['newsletter', 'google', 'bing'] as const;
const CASES = (['click', 'booking'] as const).flatMap((clock) =>
  CREDIT_MODELS.map((model) => [clock, model] as const),
);

/** Every seventh has no click; clicks begin before the period and bookings end after it. */
function buildEntry(index: number, isPayday = false): LedgerEntry {
  const clickTime = Date.parse(FROM) + (index - 10) * DAY_MS;
  const status = STATUSES[index % STATUSES.length] ?? 'pending';
  const partner = PARTNERS[index % PARTNERS.length] ?? 'kit';
  const touch = (place: number, time: number) => ({
    campaign: { utm_source: SOURCES[place % SOURCES.length] ?? '', utm_medium: place % 2 ? 'cpc' : 'email' },
    time,
  });
  const source = (place: number) => ({
    channel: 'referral' as const,
    name: SOURCES[place % SOURCES.length] ?? '',
  });
  const report = (state: (typeof STATUSES)[number], sequence: number) => ({
    nativeId: `c-${index}`,
    amount: 1_000 + index * 7,
    currency: index % 9 === 8 ? 'EUR' : 'USD',
    eventTime: clickTime + 15 * DAY_MS,
    changeTime: clickTime + (15 + sequence) * DAY_MS,
    status: state,
  });
  const journey = {
    clickId: `click-${index}`,
    clickTime,
    partner,
    page: `/page-${index % 4}`,
    entryPage: `/page-${index % 3}`,
    pages: [`/page-${index % 3}`, `/page-${index % 4}`],
    touches: [touch(index, clickTime - 2_000), touch(index + 1, clickTime - 1_000)],
    sources: { first: source(index), last: source(index + 1) },
    answers: index % 5 === 4 ? {} : { businessType: CODES[index % CODES.length] ?? '' },
  };
  const reports = [report('pending', 1), ...(status === 'pending' ? [] : [report(status, 2)])];
  if (isPayday && status === 'approved') reports.push(report('paid', 3));
  const arrival = { partner, clickId: `click-${index}` };
  const entry = buildSampleEntry(reports, index % 7 === 6 ? null : journey, arrival);
  const isDismissed = index % 11 === 10;
  return { ...entry, commission: { ...entry.commission, isDismissed }, isCounted: !isDismissed };
}

const ENTRIES = Array.from({ length: 60 }, (_, index) => buildEntry(index));
const assessment = readSampleAssessment();
const questions = assessment.questions.slice(0, 1).map(({ options, ...question }) => ({
  ...question,
  field: 'businessType' as const,
  options: options.slice(0, CODES.length).map((option, index) => ({ ...option, code: CODES[index] })),
}));
const createSite = (entries: readonly LedgerEntry[]) =>
  createTestConsole({
    entries,
    now: () => NOW,
    rollups: createMemoryRollups([]),
    content: {
      partners: new Map(PARTNERS.map((key) => [key as string, buildPartner(key)])),
      assessment: { ...assessment, questions },
    },
  });
const site = await createSite(ENTRIES);
function buildRequest(clock: ReportClock, model: CreditModel, campaign?: string) {
  const { query, ...request } = buildViewRequest();
  const filters =
    campaign === undefined ? [] : [{ dimension: 'campaign', value: campaign, isNot: false } as const];
  return { ...request, query: { ...query, from: FROM, to: TO, clock, model, currency: 'USD', filters } };
}

function readReport(by: ReportQuery['by'], clock: ReportClock, model: CreditModel, entries = ENTRIES) {
  const own = entries.filter(({ commission }) => commission.currency === 'USD');
  const period = getPeriod({ from: FROM, to: TO }, 'UTC');
  const options = { by, clock, model, ...period, timeZone: 'UTC', answerField: 'businessType' } as const;
  return buildCommissionReport(own, new Map(), options);
}

const getMoney = ({ currencies }: ReturnType<typeof readReport>['total']) => {
  const { approved = 0, paid = 0, pending = 0, reversed = 0 } = currencies['USD'] ?? {};
  return { approved, paid, pending, reversed };
};
const sumBooked = (row: ReturnType<typeof readReport>['total']) => getBooked(getMoney(row));

it.each(CASES)('answers have the money of the ledger by %s day under %s', async (clock, model) => {
  const { matrices } = await readAssessment(site, buildRequest(clock, model));
  const report = readReport('answer', clock, model).rows.filter(({ key }) => key !== '(none)');
  const found = matrices[0]?.rows.map(({ code, amount, conversions }) => [code, amount, conversions]);
  expect(found?.sort()).toEqual(report.map((row) => [row.key, sumBooked(row), row.conversions]).sort());
  expect(report).toHaveLength(CODES.length);
});

it('the funnel of the assessment has as many customers as the answers to a question, of every currency', async () => {
  const request = buildRequest('click', 'last');
  const query = { ...request.query, currency: null };
  const { stages, matrices } = await readAssessment(site, { query });
  const { stages: inDollars } = await readAssessment(site, request);
  const [converted, some] = [stages, inDollars].map((list) => list.find(({ key }) => key === 'converted'));
  const answered = matrices[0]?.rows.reduce((sum, { conversions }) => sum + conversions, 0);
  expect(answered).toBe(converted?.count);
  expect(converted?.count).toBeGreaterThan(some?.count ?? 0);
});

it.each(['first', 'last'] as const)(
  'a campaign opens commissions with the sum that is credited to it under %s',
  async (model) => {
    const { rows } = readReport('campaign', 'click', model);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      const list = await readCommissions(site, buildRequest('click', model, row.key));
      expect(list?.kind === 'list' && list.sums).toMatchObject([{ currency: 'USD', ...getMoney(row) }]);
    }
  },
);

it('partners and answers export what the screen shows, in its order', async () => {
  const request = buildRequest('click', 'last');
  const shown = await readPartners(site, request);
  const format = (amount: number) => formatDecimalAmount(amount, 'USD');
  expect(shown.curves.map(({ partner }) => partner)).toEqual(shown.rows.map(({ key }) => key));
  const table = buildTable((await readPartnerLines(site, request)).rows, PARTNER_COLUMNS);
  const headings = ['partner', 'clicks', 'conversions', 'conversion rate', 'approval rate', 'currency'];
  const places = [...headings, 'approved', 'paid', 'pending', 'reversed'].map((name) =>
    table.columns.indexOf(name),
  );
  expect([...table.rows].map((row) => places.map((place) => row[place]))).toEqual(
    shown.rows.flatMap(({ key, clicks, conversions, conversionRate, approvalRate, sums }) =>
      sums.map(({ currency, approved, paid, pending, reversed }) => [
        key,
        clicks,
        conversions,
        conversionRate,
        approvalRate,
        currency,
        ...[approved, paid, pending, reversed].map(format),
      ]),
    ),
  );
  const answers = (await readAssessment(site, request)).matrices.flatMap(({ title, rows }) =>
    rows.map(({ label, amount, outcomes }) => [
      title,
      label,
      format(amount),
      ...outcomes.map((outcome) => format(outcome.amount)),
    ]),
  );
  const exportedAnswers = [...(await readAnswerTable(site, request)).rows];
  expect(exportedAnswers.map((row) => [row[0], row[1], row[5], ...row.slice(7)])).toEqual(answers);
});

it.each(CASES)('a source opens the commissions that it sums by %s day under %s', async (clock, model) => {
  const request = buildRequest(clock, model);
  const { rows } = await readSources(site, request);
  expect(rows.length).toBeGreaterThan(1);
  for (const { key, approved, paid, pending } of rows) {
    const filters = [{ dimension: 'source', value: key, isNot: false } as const];
    const opened = await readCommissions(site, { ...request, query: { ...request.query, filters } });
    const sums = opened?.kind === 'list' ? opened.sums : [];
    expect([key, sums[0]?.approved ?? 0, sums[0]?.paid ?? 0, sums[0]?.pending ?? 0]).toEqual([
      key,
      approved,
      paid,
      pending,
    ]);
  }
});

it('a payday moves no figure but what is paid of what is confirmed', async () => {
  const paid = await createSite(ENTRIES.map((_, index) => buildEntry(index, true)));
  const request = buildRequest('booking', 'last');
  const reads = [readOverview, readPages, readPlacements, readCampaigns, readSources, readAssessment];
  // What is due and the status of each commission are about the payment itself.
  const confirm = (key: string, value: unknown): unknown => {
    if (['outlook', 'otherCurrencies', 'latest', 'status'].includes(key)) return null;
    if (value instanceof Map) return [...value];
    if (typeof value !== 'object' || value === null || !('approved' in value && 'paid' in value))
      return value;
    return { ...value, approved: Number(value.approved) + Number(value.paid), paid: null };
  };
  for (const read of reads) {
    const [before, after] = [await read(site, request), await read(paid, request)];
    expect(JSON.parse(JSON.stringify(after, confirm))).toEqual(JSON.parse(JSON.stringify(before, confirm)));
  }
});
