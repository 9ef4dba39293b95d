import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import type {
  CommissionSource,
  MessageFields,
  ParsedMessage,
  SourceReport,
} from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import {
  buildNativeId,
  getText,
  isPlaceholder,
  parseKind,
  parseStatus,
  parseToken,
} from '../../core/commissions/ledger/message-fields.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import { parseDecimalAmount } from '../../core/commissions/money.ts';
import { createLoopGuard, type NetworkClient } from './network-client.ts';
import { buildReports, buildTest, type NetworkModule, parseTime } from './network-report.ts';

/** The API allows 45 days between the two dates; windows overlap by a day. */
const WINDOW_MS = 44 * DAY_MS;
const OVERLAP_MS = DAY_MS;
const READ_AGAIN_MS = 130 * DAY_MS;
const PAGE_SIZE = 1_000;

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? ''));
const action = z.object({
  Id: z.string().min(1),
  CampaignId: text,
  State: text,
  Payout: text,
  Amount: text,
  Currency: text,
  EventDate: text,
  ReferringDate: text,
  ActionTrackerName: text,
  SubId1: text,
  SubId2: text,
  SubId3: text,
  SharedId: text,
});
const response = z.object({ '@numpages': z.coerce.number(), Actions: z.array(action) });

type Action = z.output<typeof action>;

/**
 * impact.com's actions by their last update: a reversal changes an action of any age. The cursor is the window and the
 * page, `3:2`.
 */
function createImpactSource(get: NetworkClient, sid: string): CommissionSource {
  return {
    async *readPages({ cursor, terms, now }) {
      const guard = createLoopGuard();
      const windows = buildWindows(now);
      const [firstWindow = 0, firstPage = 1] = (cursor ?? '0:1').split(':').map(Number);
      let page = firstPage;
      for (let index = firstWindow; index < windows.length; index++) {
        for (let isLast = false; !isLast; page++) {
          const query = new URLSearchParams({
            ...windows[index],
            Page: String(page),
            PageSize: String(PAGE_SIZE),
          });
          const path = `/Mediapartners/${encodeURIComponent(sid)}/Actions`;
          const list = await get(path, query, response);
          if (list.Actions.length > 0) guard(`${index} ${JSON.stringify(list.Actions)}`);
          isLast = page >= list['@numpages'];
          const next = isLast ? `${index + 1}:1` : `${index}:${page + 1}`;
          yield {
            reports: list.Actions.flatMap((item) => buildAction(item, terms)),
            cursor: isLast && index === windows.length - 1 ? null : next,
          };
        }
        page = 1;
      }
    },
  };
}

function buildWindows(now: number): { readonly StartDate: string; readonly EndDate: string }[] {
  const format = (time: number) => new Date(time).toISOString().replace(/\.\d+/, '');
  const windows: { readonly StartDate: string; readonly EndDate: string }[] = [];
  for (let start = now - READ_AGAIN_MS; start < now; start += WINDOW_MS - OVERLAP_MS) {
    windows.push({ StartDate: format(start), EndDate: format(Math.min(start + WINDOW_MS, now)) });
  }
  return windows;
}

function buildAction(item: Action, terms: CommissionTerms): SourceReport[] {
  const currency = (item.Currency || terms.currency || 'USD').toUpperCase();
  const amount = parseDecimalAmount(item.Payout || '0', currency);
  if (amount === null) return [];
  const toTime = (value: string) => (value === '' ? null : parseDate(value, terms.timeZone, 'month-first'));
  const subIds = [item.SubId1, item.SubId2, item.SubId3, item.SharedId].filter((value) => value !== '');
  return [
    {
      reported: {
        nativeId: buildNativeId(item.Id),
        kind: amount < 0 ? 'adjustment' : parseKind(item.ActionTrackerName),
        status: parseStatus(item.State, terms),
        amount,
        currency,
        saleAmount: item.Amount === '' ? null : parseDecimalAmount(item.Amount, currency),
        token: parseToken(subIds[0] ?? ''),
        clickTime: toTime(item.ReferringDate),
        eventTime: toTime(item.EventDate),
        changeTime: null,
        isTest: false,
      },
      strings: [...subIds, item.CampaignId],
    },
  ];
}

/** impact.com: macros of the action, `Payout` is the commission and `Amount` the sale, both decimal. */
function parseImpactMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const nativeId = getText(fields, 'actionid');
  if (nativeId === '') return null;
  const payout = getText(fields, 'payout');
  const isUnnamed = isPlaceholder(nativeId);
  if (isPlaceholder(payout) || (isUnnamed && !/[1-9]/.test(payout))) return buildTest(terms);
  const currency = (getText(fields, 'currency') || terms.currency || '').toUpperCase();
  // What is no decimal amount must not pass for minor units.
  const toMinor = (text: string) => (text === '' ? '' : String(parseDecimalAmount(text, currency)));
  return buildReports({
    fields,
    terms,
    nativeId: isUnnamed ? '' : nativeId,
    kind: getText(fields, 'kind'),
    status: parseStatus(getText(fields, 'status', 'state'), terms),
    amount: toMinor(payout),
    saleAmount: toMinor(getText(fields, 'amount')),
    currency,
    clickTime: parseTime(getText(fields, 'referringdate'), terms),
    eventTime: parseTime(getText(fields, 'eventdate', 'actiondate'), terms),
    changeTime: parseTime(getText(fields, 'updatedate', 'at'), terms),
  });
}

/** impact.com: postbacks and an API. */
export const impact = {
  parseMessage: parseImpactMessage,
  signatureHeader: null,
  api: {
    credentials: ['IMPACT_SID', 'IMPACT_TOKEN'],
    buildRequest: (settings) => {
      const credentials = Buffer.from(`${settings.IMPACT_SID}:${settings.IMPACT_TOKEN}`).toString('base64');
      return {
        url: 'https://api.impact.com',
        headers: { authorization: `Basic ${credentials}`, 'ir-version': '16' },
      };
    },
    createSource: (client, settings) => createImpactSource(client, settings.IMPACT_SID),
  },
} as const satisfies NetworkModule<'IMPACT_SID' | 'IMPACT_TOKEN'>;
