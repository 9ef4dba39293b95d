import type { CommissionStatus, ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import type {
  CommissionSource,
  MessageFields,
  ParsedMessage,
  ParseMessage,
} from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import { buildNativeId, findToken, parseKind } from '../../core/commissions/ledger/message-fields.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import { buildTestReport } from './generic.ts';
import type { NetworkClient } from './network-client.ts';

/** What the site knows about a network. `Setting` names the settings that its API takes. */
export interface NetworkModule<Setting extends string = never> {
  /** Parses a message in the network's own shape; null for another shape, which the documented postback reads. */
  readonly parseMessage: ParseMessage;
  /** The header with the hexadecimal HMAC-SHA256 of the body; null for networks that do not sign. */
  readonly signatureHeader: string | null;
  /** Left out when the network has no API. */
  readonly api?: NetworkApi<Setting>;
}

/** How a network's API is reached and read. */
export interface NetworkApi<Setting extends string> {
  /** The settings without which the API is not read. */
  readonly credentials: readonly Setting[];
  /** Where the API is and what every request carries. */
  readonly buildRequest: (settings: Readonly<Record<Setting, string>>) => {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly createSource: (
    client: NetworkClient,
    settings: Readonly<Record<Setting, string>>,
  ) => CommissionSource;
}

/** A message that reports no commission. */
export const IGNORED_MESSAGE: ParsedMessage = { kind: 'ignored' };

/** A commission in the words of a network. */
interface ReportParts {
  readonly fields: MessageFields;
  readonly terms: CommissionTerms;
  readonly nativeId: string;
  readonly kind?: string;
  /** Whether the network books a correction as a commission of its own with a negative amount. */
  readonly booksCorrections?: boolean;
  readonly status?: CommissionStatus;
  /** Minor units, as text. */
  readonly amount: string;
  /** Whether the network writes fractions of a minor unit, which are then rounded. */
  readonly hasFractions?: boolean;
  readonly saleAmount?: string;
  readonly currency?: string;
  readonly clickTime?: number | null;
  readonly eventTime?: number | null;
  readonly changeTime?: number | null;
}

/** Builds the report of a commission; `invalid` without id, currency or a valid amount. */
export function buildReports(parts: ReportParts): ParsedMessage {
  const { fields, terms, nativeId, amount, saleAmount = '', hasFractions = false } = parts;
  const currency = (parts.currency || terms.currency || '').toUpperCase();
  if (nativeId === '') return { kind: 'invalid', detail: 'the message has no id of the commission' };
  if (!/^[A-Z]{3}$/.test(currency)) {
    return { kind: 'invalid', detail: 'the message has no currency: set it in the partner file' };
  }
  const minor = parseMinorUnits(amount, hasFractions);
  if (minor === null)
    return {
      kind: 'invalid',
      detail: 'the amount of the message is not a number of whole minor units, such as 1250',
    };
  const report: ReportedFact = {
    nativeId: buildNativeId(nativeId),
    kind: parts.booksCorrections && minor < 0 ? 'adjustment' : parseKind(parts.kind ?? ''),
    status: parts.status ?? 'pending',
    amount: minor,
    currency,
    saleAmount: saleAmount === '' ? null : parseMinorUnits(saleAmount, hasFractions),
    token: findToken(fields),
    clickTime: parts.clickTime ?? null,
    eventTime: parts.eventTime ?? null,
    changeTime: parts.changeTime ?? null,
    isTest: false,
  };
  return { kind: 'reports', reports: [report] };
}

/** Builds the report of a test message. */
export function buildTest(terms: CommissionTerms): ParsedMessage {
  return { kind: 'reports', reports: [buildTestReport({ click: '', id: '', terms })] };
}

/**
 * Whole minor units, from `1250` or `1250.0`. A fraction is refused unless the network writes them: `12.50` is more likely
 * an amount of dollars, which would count as 13 cents.
 */
function parseMinorUnits(text: string, hasFractions: boolean): number | null {
  if (!(hasFractions ? /^[+-]?\d+(\.\d*)?$/ : /^[+-]?\d+(\.0*)?$/).test(text)) return null;
  const number = Number(text);
  const rounded = Math.sign(number) * Math.round(Math.abs(number));
  return Number.isSafeInteger(rounded) ? rounded + 0 : null;
}

/** Parses a time of a message; null when it is missing or invalid. */
export function parseTime(text: string, terms: CommissionTerms): number | null {
  return text === '' ? null : parseDate(text, terms.timeZone, 'month-first');
}
