import type { UnmatchedReason } from '../../core/commissions/build-ledger.ts';
import type { FactSource } from '../../core/commissions/commission-fact.ts';
import type { Network } from '../../core/commissions/commission-terms.ts';
import type { CreditModel } from '../../core/commissions/credit.ts';
import type { ReportColumn } from '../../core/commissions/csv-columns.ts';
import { CAMPAIGN_MODELS, PAGE_MODELS } from '../commissions/commission-detail-model.ts';
import type { ConsoleDimension, ConsoleQuery } from './console-query.ts';

/** Names of the dimensions in filters and tables. */
export const DIMENSION_NAMES: Readonly<Record<ConsoleDimension, string>> = {
  page: 'Page',
  placement: 'Placement',
  campaign: 'Campaign',
  answer: 'Answer',
  partner: 'Partner',
  status: 'Status',
};

/** Names of the credit models; the first four divide money among campaigns, the others among pages. */
export const MODEL_NAMES: Readonly<Record<CreditModel, string>> = {
  first: 'First touch',
  last: 'Last touch',
  lastPaid: 'Last paid touch',
  linear: 'All touches equally',
  clickPage: 'Page of the click',
  entryPage: 'Entry page',
  linearPages: 'All pages equally',
};

/** The model by which a query divides money among pages: that of the click, unless the query names another one. */
export function getPageModel({ model }: Pick<ConsoleQuery, 'model'>): (typeof PAGE_MODELS)[number] {
  return PAGE_MODELS.find((known) => known === model) ?? 'clickPage';
}

/** The model by which a query divides money among campaigns: last touch, unless the query names another one. */
export function getCampaignModel({ model }: Pick<ConsoleQuery, 'model'>): (typeof CAMPAIGN_MODELS)[number] {
  return CAMPAIGN_MODELS.find((known) => known === model) ?? 'last';
}

export const CLOCK_NAMES: Readonly<Record<ConsoleQuery['clock'], string>> = {
  click: 'Click day',
  booking: 'Booking day',
};

export const COMPARE_NAMES: Readonly<Record<ConsoleQuery['compare'], string>> = {
  none: 'No comparison',
  previous: 'Previous period, same weekdays',
  year: 'Same dates last year',
};

/** Why a commission has no click, in a few words. */
export const UNMATCHED_NAMES: Readonly<Record<UnmatchedReason, string>> = {
  'no-sub-id': 'no sub-id',
  'unknown-token': 'unknown sub-id',
  'click-deleted': 'deleted by retention',
  'test-message': 'test message',
};

/** What a column of a network's report can hold. */
export const REPORT_COLUMN_NAMES: Readonly<Record<ReportColumn, string>> = {
  id: 'Id of the commission',
  subId: 'Sub-id (the click)',
  amount: 'Commission',
  status: 'Status',
  eventTime: 'Day of the commission',
  saleAmount: 'Sale',
  currency: 'Currency',
  kind: 'Kind',
  changeTime: 'Last change',
  clickTime: 'Time of the click',
};

/** How what a network reports reaches the ledger. */
export const SOURCE_NAMES: Readonly<Record<FactSource, string>> = {
  postback: 'by postback',
  webhook: 'by webhook',
  api: 'read from the API',
  csv: 'from a file',
  manual: 'entered by hand',
};

const NETWORK_NAMES: Readonly<Record<Network, string>> = {
  generic: 'Postback',
  firstpromoter: 'FirstPromoter',
  partnerstack: 'PartnerStack',
  impact: 'impact.com',
  rewardful: 'Rewardful',
  dub: 'Dub',
};

/** The name of an affiliate network by its key; the key itself of a network that is not known. */
export function getNetworkName(network: string): string {
  return new Map(Object.entries(NETWORK_NAMES)).get(network) ?? network;
}
