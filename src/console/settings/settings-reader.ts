import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { buildConsolePath } from '../../core/paths.ts';
import type { OperatorStore } from '../../stores/operators.ts';
import type { OperatorSessions } from '../access/operator-sessions.ts';
import type { ConsoleQuery } from '../figures/console-query.ts';
import type { ActionOutcome, ViewReader, ViewRequest } from '../view-reader.ts';
import type { IssuedAddresses } from './issued-addresses.ts';
import { applySettingsChange, type SettingsChangeContext } from './settings-changes.ts';
import type { IssuedAddress, SettingsModel } from './settings-model.ts';

export interface SettingsReaderOptions extends Omit<SettingsChangeContext, 'issue'> {
  readonly getStore: () => OperatorStore;
  readonly sessions: OperatorSessions;
  readonly issued: IssuedAddresses;
  readonly timeZone: string;
  readonly facts: SettingsModel['facts'];
  readonly digest: SettingsModel['digest'];
  readonly parseQuery: (parameters: URLSearchParams) => Promise<{ readonly query: ConsoleQuery }>;
}

/** Reads and changes the settings: operators, sessions, passkeys, share links. */
export class SettingsReader implements ViewReader<SettingsModel> {
  readonly isOpenToViewers = true;
  readonly #options: SettingsReaderOptions;
  constructor(options: SettingsReaderOptions) {
    this.#options = options;
  }

  async read({ viewer, rest, parameters, sessionId, formToken }: ViewRequest): Promise<SettingsModel | null> {
    if (viewer.kind !== 'operator' || rest.length > 0) return null;
    const { getStore, sessions, parseQuery, now, timeZone, facts, digest } = this.#options;
    const store = getStore();
    const isOwner = viewer.role === 'owner';
    const [preferences, operators, ownSessions, passkeys, links] = await Promise.all([
      store.readPreferences(),
      store.readOperators(),
      store.readSessions(viewer.id),
      store.readPasskeys(viewer.id),
      isOwner ? store.readShareLinks(now()) : [],
    ]);
    const issued = await this.#options.issued.take(viewer.id, formToken);
    return {
      self: { id: viewer.id, name: viewer.name, role: viewer.role },
      timeZone,
      preferences,
      digest,
      issued,
      operators: operators.map(({ id, name, role, createdAt }) => ({ id, name, role, createdAt })),
      sessions: ownSessions
        .filter((session) => sessions.isValid(session))
        .map(({ id, browser, createdAt, usedAt }) => ({
          id,
          browser,
          createdAt,
          usedAt,
          isCurrent: id === sessionId,
        })),
      passkeys: passkeys.map(({ id, label, createdAt, usedAt }) => ({ id, label, createdAt, usedAt })),
      shareLinks: await Promise.all(
        links.map(async ({ id, label, view, parameters: fixed, createdBy, expiresAt }) => ({
          id,
          label,
          viewName: CONSOLE_VIEWS.find(({ key }) => key === view)?.name ?? view,
          query: (await parseQuery(new URLSearchParams(fixed))).query,
          createdBy,
          expiresAt,
        })),
      ),
      shareable: CONSOLE_VIEWS.filter(({ isShareable }) => isShareable).map(({ name }) => name),
      shareAddress: (parameters.get('share') ?? '').slice(0, 2_000),
      facts,
    };
  }

  async post(form: FormData, request: ViewRequest): Promise<ActionOutcome> {
    const { viewer } = request;
    const location = buildConsolePath('settings');
    if (viewer.kind !== 'operator') return { location, message: 'Nothing was changed.', isError: true };
    const { issued } = this.#options;
    const issue = (address: IssuedAddress) => issued.put(viewer.id, address, request.formToken);
    const read = (field: string) => String(form.get(field) ?? '').slice(0, 2_000);
    const context = { ...this.#options, issue };
    const outcome = await applySettingsChange(read, { viewer, sessionId: request.sessionId ?? '' }, context);
    return { location, ...outcome };
  }
}
