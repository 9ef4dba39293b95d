import type { ReportColumn } from '../../core/commissions/csv-columns.ts';
import type { SyncLogEntry } from '../../core/commissions/sync-log.schema.ts';
import type { CommissionImport } from '../../stores/ledger.ts';

/** What importing an uploaded file would bring, or has brought so far. Sums in minor units. */
export interface ImportPreview {
  /** Id of the upload; part of the form that imports it. */
  readonly upload: string;
  readonly file: string;
  readonly partner: string;
  readonly currency: string;
  readonly timeZone: string;
  /** Rows of the whole file. */
  readonly fileRows: number;
  /** true: the operator has confirmed, and the counts are those of the rows that are imported so far. */
  readonly isRunning: boolean;
  /** Rows that were counted: the first ones of a large file. */
  readonly rows: number;
  readonly matched: number;
  readonly unmatched: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly sums: readonly { readonly currency: string; readonly amount: number }[];
  /** Header of the file by what is read from it. */
  readonly columns: readonly { readonly column: ReportColumn; readonly header: string }[];
  /** Why the file cannot be imported; empty when it can. */
  readonly problems: readonly string[];
}

/** What the last run of a network's API brought. */
export interface SyncRow {
  readonly network: string;
  /** Names of its partners. */
  readonly partners: readonly string[];
  readonly last: SyncLogEntry | null;
  /** About when it runs next; ms since 1970, null when it does not run by itself. */
  readonly nextAt: number | null;
}

/** Where a network sends its messages. */
export interface PostbackRow {
  readonly partner: string;
  readonly name: string;
  readonly network: string;
  /** The secret address; null until it is requested. */
  readonly address: string | null;
  readonly lastMessageAt: number | null;
}

export interface ImportModel {
  readonly partners: readonly {
    readonly key: string;
    readonly name: string;
    readonly currency: string | null;
  }[];
  readonly preview: ImportPreview | null;
  /** Newest first; at most `MAX_IMPORTS`. */
  readonly imports: readonly CommissionImport[];
  readonly syncs: readonly SyncRow[];
  readonly postbacks: readonly PostbackRow[];
  /** Whether postback addresses exist. */
  readonly hasPostbacks: boolean;
  /** Time zones that the form offers. */
  readonly timeZones: readonly string[];
  readonly maxFileMb: number;
  readonly canChange: boolean;
  readonly formToken: string;
  readonly now: number;
}

export const MAX_IMPORTS = 50;
