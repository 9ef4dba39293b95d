import {
  CONSOLE_VIEWS,
  type ConsoleViewKey,
  type ConsoleViewPath,
  findConsoleView,
} from '../core/console/console-view.ts';
import { type ConsoleViewer, isOwner } from '../core/console/operator.ts';
import type {
  ConsoleFrame,
  ConsoleLink,
  ConsoleNotice,
  ConsoleViewModels,
  ConsoleViewPage,
} from './console-page.ts';
import { buildConsoleAddress } from './figures/addresses.ts';
import type { SiteNames } from './figures/names.ts';
import type { ConsoleQuery } from './figures/query.ts';

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
  /** true: viewers may post forms too, and `post` decides what they may do. */
  readonly isOpenToViewers?: boolean;
  /** Handles a form posted to the view by an owner, after origin and form token were checked. */
  post?(form: FormData, request: ViewRequest): Promise<ActionOutcome>;
}

/** The reader of every view. */
export type ViewReaders = { readonly [Key in ConsoleViewKey]: ViewReader<ConsoleViewModels[Key]> };

export interface ConsoleViewsOptions {
  readonly readers: ViewReaders;
  readonly siteName: string;
  /** Whether all data were generated. */
  readonly isSample: boolean;
  /** IANA name; times are shown in it. */
  readonly timeZone: string;
  /** Parses the parameters of an address; `problems` say what was not understood. */
  readonly parseQuery: (parameters: URLSearchParams) => Promise<{
    readonly query: ConsoleQuery;
    readonly problems: readonly string[];
    /** Currencies in which there are commissions, the one with the most money first. */
    readonly currencies: readonly string[];
  }>;
  readonly readNames: () => SiteNames;
  /** What waits in a view, for the navigation. */
  readonly readCounts: () => Promise<Partial<Readonly<Record<ConsoleViewKey, number>>>>;
}

/** Where a view is, and who asks. */
export interface ViewTarget extends Omit<ViewRequest, 'query'> {
  readonly view: ConsoleViewKey;
}

/** Reads the views. Who may see them was decided before. */
export class ConsoleViews {
  readonly #options: ConsoleViewsOptions;

  constructor(options: ConsoleViewsOptions) {
    this.#options = options;
  }

  /** The view whose table a path exports (`['pages.csv']`); null without one. */
  findExport(parts: readonly string[]): ConsoleViewPath | null {
    const last = parts.at(-1) ?? '';
    if (!last.endsWith('.csv')) return null;
    const named = [...parts.slice(0, -1), last.slice(0, -'.csv'.length)];
    const found = findConsoleView(named.join('/') === 'overview' ? [] : named);
    if (found === null) return null;
    return this.#getReader(found.view).exportTable === undefined ? null : found;
  }

  /** Whether a viewer may post forms to a view. */
  isPostable(view: ConsoleViewKey, viewer: ConsoleViewer): boolean {
    const { post, isOpenToViewers = false } = this.#getReader(view);
    return post !== undefined && viewer.kind === 'operator' && (isOwner(viewer) || isOpenToViewers);
  }

  /** Reads a view with its frame; null when there is no such page. */
  async read(
    target: ViewTarget,
    {
      notice,
      share,
    }: {
      readonly notice: ConsoleNotice | null;
      /** When the share link ends and where it exports the table; null for operators. */
      readonly share: { readonly until: number; readonly exportHref: string } | null;
    },
  ): Promise<{ readonly frame: ConsoleFrame; readonly page: ConsoleViewPage } | null> {
    const { query, problems, currencies } = await this.#options.parseQuery(target.parameters);
    const [model, navigation] = await Promise.all([
      this.#getReader(target.view).read({ ...target, query }),
      share === null ? this.#buildNavigation(query) : [],
    ]);
    if (model === null) return null;
    const { view, rest, parameters, viewer, formToken } = target;
    const frame: ConsoleFrame = {
      siteName: this.#options.siteName,
      isSample: this.#options.isSample,
      timeZone: this.#options.timeZone,
      view,
      title: CONSOLE_VIEWS.find(({ key }) => key === view)?.name ?? '',
      navigation,
      names: this.#options.readNames(),
      query,
      currencies,
      problems,
      parameters: parameters.toString(),
      rest,
      viewer,
      formToken,
      notice,
      exportHref: this.#getReader(view).exportTable
        ? (share?.exportHref ?? buildConsoleAddress(view, {}, { suffix: '.csv' }))
        : null,
      sharedUntil: share?.until ?? null,
    };
    // The reader of a key returns the model of that key, which TypeScript cannot follow through the union.
    return { frame, page: { view, model } as ConsoleViewPage };
  }

  /** Reads the whole table of a view; null when it has none. */
  async exportTable(target: ViewTarget): Promise<ExportTable | null> {
    return (await this.#getReader(target.view).exportTable?.(await this.#buildRequest(target))) ?? null;
  }

  /** Hands a posted form to its view; null when the view takes none. */
  async post(form: FormData, target: ViewTarget): Promise<ActionOutcome | null> {
    return (await this.#getReader(target.view).post?.(form, await this.#buildRequest(target))) ?? null;
  }

  #getReader(view: ConsoleViewKey): ViewReader<ConsoleViewModels[ConsoleViewKey]> {
    return this.#options.readers[view];
  }

  async #buildRequest(target: ViewTarget): Promise<ViewRequest> {
    const { query } = await this.#options.parseQuery(target.parameters);
    return { ...target, query };
  }

  /** The other views of the same period and with the same filters. */
  async #buildNavigation(query: ConsoleQuery): Promise<readonly ConsoleLink[]> {
    const counts = await this.#options.readCounts();
    return CONSOLE_VIEWS.map(({ key, name, hasPeriod }) => ({
      view: key,
      name,
      href: buildConsoleAddress(key, hasPeriod ? { ...query, sort: null } : {}),
      count: counts[key] ?? null,
    }));
  }
}
