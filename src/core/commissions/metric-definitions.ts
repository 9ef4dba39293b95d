/** Every metric by key, for a reader who sees it for the first time; the documentation has the same table. */
export const METRICS = {
  views: {
    name: 'Views',
    meaning: 'How often a page was opened, without bots and prefetches.',
    formula: 'number of counted page views',
    example: '1,010 page views, of which 10 came from bots: 1,000 views',
  },
  visits: {
    name: 'Visits',
    meaning: 'Visits that began in the period, each under the campaign or the source with which it began.',
    formula: 'number of counted page views that began a visit',
    example: 'one visit of four pages: 1 visit, 4 views',
  },
  clicks: {
    name: 'Clicks',
    meaning:
      'Visits that were sent to a partner, without bots, prefetches, duplicates and requests that are no navigation.',
    formula: 'number of counted redirects',
    example: '1,204 redirects, of which 4 came from bots: 1,200 clicks',
  },
  clickRate: {
    name: 'Click rate',
    meaning: 'Share of the views of a page that led to a click.',
    formula: 'clicks / views of the page that carried the link',
    example: '60 clicks from 1,000 views: 6 %',
  },
  visitClickRate: {
    name: 'Clicks per visit',
    meaning: 'Clicks to partners, as a share of the visits that came from a source.',
    formula: 'clicks / visits',
    example: '60 clicks from 400 visits: 15 %',
  },
  conversions: {
    name: 'Conversions',
    meaning:
      'Customers: clicks with a commission that is not reversed. A customer is counted once, on the day of the first one.',
    formula: 'number of first matched commissions above 0 of a click',
    example: 'one click with 7 monthly commissions and one with a reversed one: 1 conversion',
  },
  payments: {
    name: 'Recurring payments',
    meaning: 'Commissions of a customer after the first one.',
    formula: 'number of matched commissions above 0, without conversions',
    example: 'one click with 7 monthly commissions: 1 conversion, 6 recurring payments',
  },
  conversionRate: {
    name: 'Conversion rate',
    meaning: 'Share of the clicks of a period that brought a customer; by click day alone.',
    formula: 'conversions of counted clicks / clicks',
    example: '23 conversions from 1,150 clicks: 2 %',
  },
  approved: {
    name: 'Approved',
    meaning: 'Commission that the network has confirmed and not paid yet.',
    formula: 'sum of the amounts with the status approved',
    example: '$40.00 approved and $60.00 paid: $40.00',
  },
  paid: {
    name: 'Paid',
    meaning: 'Commission that the network has paid.',
    formula: 'sum of the amounts with the status paid',
    example: '$40.00 approved and $60.00 paid: $60.00',
  },
  pending: {
    name: 'Pending',
    meaning: 'Commission that was reported and not decided yet.',
    formula: 'sum of the amounts with the status pending',
    example: '3 pending commissions of $40.00: $120.00',
  },
  reversed: {
    name: 'Reversed',
    meaning: 'Commission that was reported earlier and taken back in full.',
    formula: 'sum of the amounts before the reversal',
    example: 'one commission of $40.00 was approved and reversed after 75 days: $40.00',
  },
  epc: {
    name: 'EPC so far',
    meaning:
      'Earnings per click: what one click of the period has earned so far, by click day whatever the clock is.',
    formula: '(approved + paid + pending) of the clicks of a period / clicks of the period',
    example: '$480.00 from 1,200 clicks: $0.40',
  },
  epcExpected: {
    name: 'EPC expected',
    meaning:
      'What one click will have earned once its money has arrived, and the range in which that is in 8 of 10 cases.',
    formula:
      'money / clicks, each click by the share of its money that has usually arrived, with the site as three customers',
    example:
      '12 conversions of $40.00 from 1,200 clicks, of whose money half has usually arrived: $0.80, $0.52 – $1.10',
  },
  rpm: {
    name: 'RPM',
    meaning: 'Revenue per 1,000 views of the page that carried the link.',
    formula: '(approved + paid + pending) × 1,000 / page views',
    example: '$480.00 from 20,000 views: $24.00',
  },
  approvalRate: {
    name: 'Approval rate',
    meaning: 'Share of the decided commissions that was approved or paid.',
    formula: '(approved + paid) / (approved + paid + reversed), by amount; pending commissions do not count',
    example: '$200.00 approved, $700.00 paid, $100.00 reversed: 90 %',
  },
  expected: {
    name: 'Expected',
    meaning: 'What was paid and will probably be paid of everything that was reported.',
    formula: 'approved + paid + pending × approval rate of the partner',
    example: '$60.00 approved, $40.00 paid, $120.00 pending at 90 %: $208.00',
  },
  matchRate: {
    name: 'Match rate',
    meaning: 'Share of the reported commission whose click is known.',
    formula: 'matched / (matched + unmatched), by amount',
    example: '$960.00 of $1,000.00 found its click: 96 %',
  },
  firstTouch: {
    name: 'First touch',
    meaning: 'Commission credited to the first campaign of the visit.',
    formula: 'sum of (approved + paid + pending) by the first campaign',
    example: 'the newsletter, then a search ad, then $40.00: newsletter $40.00',
  },
  lastTouch: {
    name: 'Last touch',
    meaning: 'Commission credited to the last campaign before the click.',
    formula: 'sum of (approved + paid + pending) by the last campaign',
    example: 'the newsletter, then a search ad, then $40.00: search ad $40.00',
  },
  cost: {
    name: 'Cost',
    meaning:
      'What a campaign cost, as its platform reports it or as it was typed in; a month is divided equally among its days.',
    formula: 'sum of the costs of the days of the period, in one currency',
    example: '$12.00 a day for 28 days: $336.00',
  },
  profit: {
    name: 'Profit',
    meaning: 'What a campaign brings beyond its cost.',
    formula: 'expected − cost',
    example: '$500.00 expected for a cost of $336.00: $164.00',
  },
  returnOnSpend: {
    name: 'Return on ad spend',
    meaning: 'What a campaign brings for its cost.',
    formula: 'expected / cost',
    example: '$500.00 expected for a cost of $336.00: 149 %',
  },
  costPerVisit: {
    name: 'Cost per visit',
    meaning: 'What one visit of a campaign has cost; a click on an ad is a visit.',
    formula: 'cost / visits',
    example: '$336.00 for 300 visits: $1.12',
  },
  breakEven: {
    name: 'Break-even cost per click',
    meaning:
      'The most that a click on an ad may cost: what the visit behind it earns in the end, with what its clicks will still earn.',
    formula: 'earnings of a click in the end × clicks / visits',
    example: 'clicks that earn $2.00 in the end, 60 of them from 300 visits: $0.40',
  },
  timeToConvert: {
    name: 'Time to convert',
    meaning: 'Time from a click to its first commission: the median and the 90th percentile.',
    formula: 'median and 90th percentile of (first booking − click)',
    example: '7 d, 13 d: half took at most 7 days, nine of ten at most 13',
  },
  timeToApprove: {
    name: 'Time to approve',
    meaning: 'Time from the booking of a commission to its approval: the median and the 90th percentile.',
    formula: 'median and 90th percentile of (first approval − booking)',
    example: '14 d, 17 d: half took at most 14 days, nine of ten at most 17',
  },
  maturity: {
    name: 'Maturity',
    meaning: 'Share of the final commission of such clicks that has usually arrived by now.',
    formula: 'chain ladder over the click weeks of the partner',
    example: 'clicks of two weeks ago: 61 %',
  },
} as const satisfies Record<string, Record<'name' | 'meaning' | 'formula' | 'example', string>>;

/** Money of some commissions of one currency by their status, in minor units; no amount is in two of them. */
export interface MoneyTotals {
  /** Confirmed by the network and not paid yet. */
  readonly approved: number;
  readonly paid: number;
  readonly pending: number;
  /** What reversed commissions were worth before. */
  readonly reversed: number;
}

/** No money of any status. */
export const NO_MONEY: MoneyTotals = { approved: 0, paid: 0, pending: 0, reversed: 0 };

/** What the network has confirmed, in minor units: approved and paid. */
export const getEarned = ({ approved, paid }: MoneyTotals) => approved + paid;

/** What was reported and not taken back, in minor units: approved, paid and pending. */
export const getBooked = ({ approved, paid, pending }: Omit<MoneyTotals, 'reversed'>) =>
  approved + paid + pending;

/** Earnings per click in minor units; null without clicks. */
export function getEpc(money: MoneyTotals, clicks: number): number | null {
  return clicks === 0 ? null : getBooked(money) / clicks;
}

/** Revenue per 1,000 page views in minor units; null without views. */
export function getRpm(money: MoneyTotals, views: number): number | null {
  return views === 0 ? null : (getBooked(money) * 1_000) / views;
}

/** Share of the decided amount that was approved or paid, from 0 to 1; null while nothing is decided. */
export function getApprovalRate(money: MoneyTotals): number | null {
  const earned = getEarned(money);
  const decided = earned + money.reversed;
  return decided <= 0 ? null : Math.min(1, Math.max(0, earned / decided));
}

/** Share of the amount whose click is known, from 0 to 1; null without any amount. */
export function getMatchRate(matched: number, unmatched: number): number | null {
  const all = Math.abs(matched) + Math.abs(unmatched);
  return all === 0 ? null : Math.abs(matched) / all;
}
