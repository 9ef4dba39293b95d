import type { ReportedFact } from './commission-fact.ts';
import type { CommissionTerms } from './commission-terms.ts';
import type { ListedCommission } from './stored-money.schema.ts';

/** A message that a network sent to a postback URL: the fields of query, form or JSON. */
export type MessageFields = Readonly<Record<string, unknown>>;

/**
 * What a message says. `ignored`: it reports no commission. `invalid`: it cannot be read; `detail` says what is wrong, for
 * sender and operator.
 */
export type ParsedMessage =
  | { readonly kind: 'reports'; readonly reports: readonly ReportedFact[] }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'invalid'; readonly detail: string };

/** A report with every string of its message, row or record: any of them may name the click. */
export interface SourceReport {
  readonly reported: ReportedFact;
  readonly strings: readonly string[];
  /** The record of an interface that says it. */
  readonly record?: MessageFields;
}

/** A record of an interface that cannot count as it is. */
export interface RefusedRecord extends Pick<SourceReport, 'strings'> {
  readonly record: MessageFields;
  /** Why, as `invalid` says it of a message. */
  readonly problem: string;
}

/** A page of a network's API. */
export interface SourcePage {
  readonly reports: readonly SourceReport[];
  readonly refused?: readonly RefusedRecord[];
  /** Where to resume once the page is stored; null after the last one. */
  readonly cursor: string | null;
}

/** What to read from a network's API. */
export interface SourceRequest {
  /** Where an interrupted run stopped; null to begin. */
  readonly cursor: string | null;
  readonly terms: CommissionTerms;
  /** ms since 1970. */
  readonly now: number;
  /** When the oldest commission was made that the network may still decide about; ms since 1970, null without one. */
  readonly openSince?: number | null;
}

/**
 * A network's API: what has it reported? Every run reads at least the last 120 days again, and back to the oldest
 * commission that is still open, because networks change old commissions. The suite of its adapters is `src/sources/networks/network-apis.test.ts`.
 */
export interface CommissionSource {
  /** Reads page by page. Rejects with `CommissionSourceError`. */
  readPages(request: SourceRequest): AsyncGenerator<SourcePage>;
  /**
   * The network's own list of commissions, where the reports above are totals; it is compared with them and never
   * counted. Rejects with `CommissionSourceError`.
   */
  readList?(request: Omit<SourceRequest, 'cursor' | 'openSince'>): Promise<readonly ListedRecord[]>;
}

/** A commission of a network's own list, with the strings of its record: one of them may name the program. */
export interface ListedRecord {
  readonly listed: Omit<ListedCommission, 'partner'>;
  readonly strings: readonly string[];
}

/** Why a source could not be read. Codes are stable. */
export type CommissionSourceErrorCode =
  /** The credentials are missing or refused. */
  | 'unauthorized'
  /** The network asked to wait. */
  | 'rate-limited'
  /** The network could not be reached or failed. */
  | 'unavailable'
  /** The response or file has another form than documented. */
  | 'invalid-response'
  | 'invalid-file';

/** An error of a commission source, written for the operator. */
export class CommissionSourceError extends Error {
  readonly code: CommissionSourceErrorCode;

  constructor(code: CommissionSourceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommissionSourceError';
    this.code = code;
  }
}
