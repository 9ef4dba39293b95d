import type { ConsoleViewer } from '../core/console/operator.ts';
import type { ConsoleQuery } from './figures/console-query.ts';

/** A request for a view, after its sender was found to be allowed to see it. */
export interface ViewRequest {
  readonly query: ConsoleQuery;
  /** All parameters of the address, for views that have parameters of their own. */
  readonly parameters: URLSearchParams;
  /** The path below the view, decoded: `['highlevel', 'c-1']` of `/console/commissions/highlevel/c-1`. */
  readonly rest: readonly string[];
  readonly viewer: ConsoleViewer;
  /** Part of every form that changes something. */
  readonly formToken: string;
  /** Names the session of an operator; no secret. */
  readonly sessionId?: string | undefined;
}

/** A table as `.csv` exports it: all rows, not the page on screen. */
export interface ExportTable {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly ExportCell[]>;
}

export type ExportCell = string | number | null;

/** What the columns of an exported table have of a row, by name. */
export type ExportColumns<Row> = Readonly<Record<string, (row: Row) => ExportCell>>;

/** Builds a table of rows. */
export function buildTable<Row>(rows: readonly Row[], columns: ExportColumns<Row>): ExportTable {
  const cells = Object.values(columns);
  return { columns: Object.keys(columns), rows: rows.map((row) => cells.map((build) => build(row))) };
}

/** A moment (ms since 1970) as the cell of a table. */
export const buildTimeCell = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** What a posted form did: the browser is sent to `location` (a path of the console), which shows the message. */
export interface ActionOutcome {
  readonly location: string;
  /** One sentence; `isError` when nothing changed. */
  readonly message: string;
  readonly isError: boolean;
}

/** A view on the server: reads what its React component shows. */
export interface ViewReader<Model> {
  /** Null when there is no such page (an unknown commission, for example). */
  read(request: ViewRequest): Promise<Model | null>;
  exportTable?(request: ViewRequest): Promise<ExportTable>;
  /** The chart of the view as an SVG file. */
  exportChart?(request: ViewRequest): Promise<string>;
  /** true: viewers may post forms too, and `post` decides what they may do. */
  readonly isOpenToViewers?: boolean;
  /** Handles a form posted to the view by an owner, after origin and form token were checked. */
  post?(form: FormData, request: ViewRequest): Promise<ActionOutcome>;
}
