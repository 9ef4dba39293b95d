import { buildConsoleAddress } from '../../core/console/build-console-address.ts';
import type {
  BuiltViewKey,
  ConsoleFrame,
  ConsoleLink,
  ConsoleNotice,
  ConsoleViewModels,
  ConsoleViewPage,
  PaletteTarget,
} from '../../core/console/console-page.ts';
import type { ConsoleQuery } from '../../core/console/console-query.ts';
import { CONSOLE_VIEWS, type ConsoleViewKey } from '../../core/console/console-view.ts';
import type { ConsoleViewer } from '../../core/console/console-viewer.ts';
import { buildConsoleExportPath } from '../../core/paths.ts';
import type { ActionOutcome, ExportTable, ViewReader, ViewRequest } from './view-reader.ts';

/** The reader of every view that exists. */
export type ViewReaders = { readonly [Key in BuiltViewKey]: ViewReader<ConsoleViewModels[Key]> };

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
  /** Pages and partners for the command palette. */
  readonly listTargets: () => readonly PaletteTarget[];
  /** What waits in a view, for the navigation. */
  readonly readCounts: () => Promise<Partial<Readonly<Record<ConsoleViewKey, number>>>>;
}

/** Where a view is, who asks, and what the frame needs to know. */
export interface ViewTarget {
  readonly view: BuiltViewKey;
  readonly rest: readonly string[];
  readonly parameters: URLSearchParams;
  readonly viewer: ConsoleViewer;
  readonly formToken: string;
  readonly sessionId?: string;
}

const EXPORT_SUFFIX = '.csv';

/** Finds and reads the views. Who may see them was decided before. */
export class ConsoleViews {
  readonly #options: ConsoleViewsOptions;

  constructor(options: ConsoleViewsOptions) {
    this.#options = options;
  }

  /** The view of a path below the console, with the rest of the path; null without one. */
  find(parts: readonly string[]): { readonly view: BuiltViewKey; readonly rest: readonly string[] } | null {
    const [segment = '', ...rest] = parts;
    const found = CONSOLE_VIEWS.find(
      (view) => view.segment === segment && (segment !== '' || parts.length === 0),
    );
    return found !== undefined && this.#isBuilt(found.key) ? { view: found.key, rest } : null;
  }

  /** The key of a view that exists; null for any other. */
  findByKey(key: ConsoleViewKey): BuiltViewKey | null {
    return this.#isBuilt(key) ? key : null;
  }

  /** The view whose table a path exports (`['pages.csv']`), with the rest of the path; null without one. */
  findExport(
    parts: readonly string[],
  ): { readonly view: BuiltViewKey; readonly rest: readonly string[] } | null {
    const last = parts.at(-1) ?? '';
    if (!last.endsWith(EXPORT_SUFFIX)) return null;
    const named = [...parts.slice(0, -1), last.slice(0, -EXPORT_SUFFIX.length)];
    const found = this.find(named.length === 1 && named[0] === 'overview' ? [] : named);
    return found !== null && this.#getReader(found.view).exportTable ? found : null;
  }

  /** The view whose chart a path exports (`['overview.svg']`); null without one. */
  findChart(parts: readonly string[]): BuiltViewKey | null {
    const [file = ''] = parts;
    const found = CONSOLE_VIEWS.find(({ key }) => parts.length === 1 && file === `${key}.svg`);
    if (found === undefined || !this.#isBuilt(found.key)) return null;
    return this.#getReader(found.key).exportChart ? found.key : null;
  }

  /** Reads the chart of a view as an SVG file; null when it has none. */
  async exportChart(target: ViewTarget): Promise<string | null> {
    const { query } = await this.#options.parseQuery(target.parameters);
    return (await this.#getReader(target.view).exportChart?.(this.#buildRequest(target, query))) ?? null;
  }

  /** Whether a viewer may post forms to a view. */
  isPostable(view: BuiltViewKey, viewer: ConsoleViewer): boolean {
    const { post, isOpenToViewers = false } = this.#getReader(view);
    return post !== undefined && viewer.kind === 'operator' && (viewer.role === 'owner' || isOpenToViewers);
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
    const request = this.#buildRequest(target, query);
    const [model, navigation] = await Promise.all([
      this.#getReader(target.view).read(request),
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
      targets: share === null ? this.#options.listTargets() : [],
      query,
      currencies,
      problems,
      parameters: parameters.toString(),
      rest,
      viewer,
      formToken,
      notice,
      exportHref: this.#getReader(view).exportTable
        ? (share?.exportHref ?? buildConsoleExportPath(view))
        : null,
      sharedUntil: share?.until ?? null,
    };
    // The reader of a key returns the model of that key, which TypeScript cannot follow through the union.
    return { frame, page: { view, model } as ConsoleViewPage };
  }

  /** Reads the whole table of a view; null when it has none. */
  async exportTable(target: ViewTarget): Promise<ExportTable | null> {
    const { query } = await this.#options.parseQuery(target.parameters);
    return (await this.#getReader(target.view).exportTable?.(this.#buildRequest(target, query))) ?? null;
  }

  /** Hands a posted form to its view; null when the view takes none. */
  async post(form: FormData, target: ViewTarget): Promise<ActionOutcome | null> {
    const { query } = await this.#options.parseQuery(target.parameters);
    return (await this.#getReader(target.view).post?.(form, this.#buildRequest(target, query))) ?? null;
  }

  #isBuilt(key: ConsoleViewKey): key is BuiltViewKey {
    return Object.hasOwn(this.#options.readers, key);
  }

  #getReader(view: BuiltViewKey): ViewReader<ConsoleViewModels[BuiltViewKey]> {
    return this.#options.readers[view];
  }

  #buildRequest(
    { parameters, rest, viewer, formToken, sessionId }: ViewTarget,
    query: ConsoleQuery,
  ): ViewRequest {
    return { query, parameters, rest, viewer, formToken, sessionId };
  }

  /** The other views of the same period and with the same filters. */
  async #buildNavigation(query: ConsoleQuery): Promise<readonly ConsoleLink[]> {
    const counts = await this.#options.readCounts();
    return CONSOLE_VIEWS.filter(({ key }) => this.#isBuilt(key)).map(({ key, name, hasPeriod }) => ({
      view: key,
      name,
      href: buildConsoleAddress(key, hasPeriod ? { ...query, sort: null } : {}),
      count: counts[key] ?? null,
    }));
  }
}
