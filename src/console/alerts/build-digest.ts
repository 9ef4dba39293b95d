import type {
  CommissionReport,
  CurrencyTotals,
  ReportRow,
} from '../../core/commissions/commission-report.ts';
import type { OperatorNotification } from '../../core/console/notification.ts';
import { buildMailDocument, type MailTable } from '../../sources/mail/smtp-channel.ts';
import { formatMoney, formatNumber, formatPeriod } from '../figures/format-figures.ts';
import type { ConsoleAlert } from './alerts.ts';
import type { DigestPeriod } from './digest-period.ts';

/** What a digest is built from. */
export interface DigestFacts {
  readonly period: DigestPeriod;
  /** The commissions booked in the period, by partner. */
  readonly report: CommissionReport;
  /** Names of partners by key. */
  readonly names: ReadonlyMap<string, string>;
  readonly alerts: readonly ConsoleAlert[];
  readonly siteName: string;
  readonly consoleUrl: string;
  /** ms since 1970. */
  readonly now: number;
}

const HEAD = ['Partner', 'Clicks', 'Approved', 'Pending', 'Reversed'];

/** Builds the email about a period: a sentence with the money, a table by partner, and what needs attention. */
export function buildDigest(facts: DigestFacts): OperatorNotification {
  const { period, alerts, siteName, consoleUrl, now } = facts;
  const days = formatPeriod(period.from, period.to);
  const table = buildTable(facts);
  const sentence = buildSentence(facts, days);
  const attention =
    alerts.length === 0
      ? 'Nothing needs attention.'
      : `Needs attention:\n${alerts.map(({ title }) => `- ${title}`).join('\n')}`;
  const subject = `${siteName}: ${days}`;
  const lines = [HEAD, ...table.rows].map((cells) => cells.join(' · ')).join('\n');
  const closing = `${attention}\n\n${consoleUrl}`;
  return {
    id: `digest:${period.key}`,
    kind: 'digest',
    subject,
    text: [sentence, ...(table.rows.length === 0 ? [] : [lines]), closing].join('\n\n'),
    html: buildMailDocument(subject, `${sentence}\n\n${closing}`, table.rows.length === 0 ? null : table),
    replyTo: null,
    fields: { from: period.from, to: period.to, clicks: facts.report.total.clicks },
    createdAt: now,
  };
}

function buildSentence({ report }: DigestFacts, days: string): string {
  const { clicks, currencies } = report.total;
  const counted = clicks === 1 ? '1 click' : `${formatNumber(clicks)} clicks`;
  const money = Object.entries(currencies).map(([currency, { approved, pending }]) => {
    const parts = [
      `${formatMoney(approved, currency)} approved`,
      `${formatMoney(pending, currency)} pending`,
    ];
    return parts.join(' and ');
  });
  if (money.length === 0) return `${days}: ${counted} and no commission.`;
  const missing = Object.entries(report.unmatched.currencies)
    .map(([currency, { approved, pending }]) => [currency, approved + pending] as const)
    .filter(([, amount]) => amount !== 0)
    .map(([currency, amount]) => formatMoney(amount, currency));
  const unmatched = missing.length === 0 ? '' : ` ${missing.join(' and ')} of it found no click.`;
  return `${days}: ${money.join('; ')} were booked, with ${counted}.${unmatched}`;
}

/** A row for each partner and currency with clicks or money. */
function buildTable({ report, names }: DigestFacts): MailTable {
  const rows = [...report.rows, { ...report.unmatched, key: '' }].flatMap((row) => buildRows(row, names));
  return { head: HEAD, rows };
}

function buildRows({ key, clicks, currencies }: ReportRow, names: ReadonlyMap<string, string>): string[][] {
  const name = key === '' ? 'Without a click' : (names.get(key) ?? key);
  const money = Object.entries(currencies).filter(([, totals]) => hasMoney(totals));
  if (money.length === 0) return clicks === 0 ? [] : [[name, formatNumber(clicks), '', '', '']];
  return money.map(([currency, { approved, pending, reversed }]) => [
    name,
    key === '' ? '' : formatNumber(clicks),
    ...[approved, pending, reversed].map((amount) => formatMoney(amount, currency)),
  ]);
}

const hasMoney = ({ approved, pending, reversed }: CurrencyTotals) =>
  approved !== 0 || pending !== 0 || reversed !== 0;
