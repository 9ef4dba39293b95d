import { type ConsolePreferences, DEFAULT_PREFERENCES } from '../../core/console/console-preferences.ts';
import {
  buildOperatorNameKey,
  type Operator,
  type OperatorSession,
  type OperatorSetup,
  type Passkey,
  type ShareLink,
} from '../../core/console/operator.ts';
import { type OperatorStore, OperatorStoreError } from '../../core/console/operator-store.ts';

/** An operator store in memory, for tests. */
export class MemoryOperatorStore implements OperatorStore {
  readonly #operators = new Map<string, Operator>();
  readonly #setups = new Map<string, OperatorSetup>();
  readonly #sessions = new Map<string, OperatorSession>();
  readonly #passkeys = new Map<string, Passkey>();
  readonly #links = new Map<string, ShareLink>();
  #preferences = DEFAULT_PREFERENCES;

  async readOperators(): Promise<readonly Operator[]> {
    return sortBy([...this.#operators.values()], ({ createdAt }) => createdAt);
  }

  async readOperator(id: string): Promise<Operator | null> {
    return this.#operators.get(id) ?? null;
  }

  async findOperator(name: string): Promise<Operator | null> {
    return this.#findByName(name);
  }

  #findByName(name: string): Operator | null {
    const key = buildOperatorNameKey(name);
    return [...this.#operators.values()].find((other) => buildOperatorNameKey(other.name) === key) ?? null;
  }

  async removeOperator(id: string): Promise<boolean> {
    const owners = [...this.#operators.values()].filter(({ role }) => role === 'owner');
    if (owners.length === 1 && owners[0]?.id === id) return false;
    if (!this.#operators.delete(id)) return false;
    for (const map of [this.#setups, this.#sessions, this.#passkeys]) {
      for (const [key, { operatorId }] of map) if (operatorId === id) map.delete(key);
    }
    return true;
  }

  async writeSetup(setup: OperatorSetup): Promise<void> {
    for (const [hash, { purpose }] of this.#setups) if (purpose === setup.purpose) this.#setups.delete(hash);
    this.#setups.set(setup.tokenHash, setup);
  }

  async findSetup(tokenHash: string, now: number): Promise<OperatorSetup | null> {
    const setup = this.#setups.get(tokenHash);
    return setup !== undefined && setup.expiresAt > now ? setup : null;
  }

  async completeSetup(tokenHash: string, operator: Operator, now: number): Promise<boolean> {
    const setup = this.#setups.get(tokenHash);
    const isValid = setup !== undefined && setup.expiresAt > now;
    const isFor = isValid && (setup.operatorId === null || setup.operatorId === operator.id);
    if (!isFor) {
      this.#setups.delete(tokenHash);
      return false;
    }
    const known = this.#operators.get(operator.id);
    const named = this.#findByName(operator.name);
    if (known === undefined && named !== null) throw new OperatorStoreError('name-taken', operator.name);
    this.#setups.delete(tokenHash);
    const stored = known === undefined ? operator : { ...known, passwordHash: operator.passwordHash };
    this.#operators.set(operator.id, stored);
    await this.removeSessions(operator.id);
    return true;
  }

  async changePassword(operatorId: string, passwordHash: string, exceptSessionId: string): Promise<boolean> {
    const operator = this.#operators.get(operatorId);
    if (operator === undefined) return false;
    this.#operators.set(operatorId, { ...operator, passwordHash });
    await this.removeSessions(operatorId, exceptSessionId);
    return true;
  }

  async writeSession(session: OperatorSession): Promise<void> {
    this.#sessions.set(session.id, session);
  }

  async findSession(tokenHash: string) {
    const session = [...this.#sessions.values()].find((other) => other.tokenHash === tokenHash);
    const operator = session && this.#operators.get(session.operatorId);
    return session && operator ? { session, operator } : null;
  }

  async touchSession(id: string, now: number): Promise<void> {
    const session = this.#sessions.get(id);
    if (session && session.usedAt < now) this.#sessions.set(id, { ...session, usedAt: now });
  }

  async readSessions(operatorId: string): Promise<readonly OperatorSession[]> {
    const sessions = [...this.#sessions.values()].filter((session) => session.operatorId === operatorId);
    return sortBy(sessions, ({ usedAt }) => -usedAt);
  }

  async removeSession(operatorId: string, id: string): Promise<boolean> {
    return this.#sessions.get(id)?.operatorId === operatorId && this.#sessions.delete(id);
  }

  async removeSessions(operatorId: string, exceptId = ''): Promise<number> {
    const ended = (await this.readSessions(operatorId)).filter(({ id }) => id !== exceptId);
    for (const { id } of ended) this.#sessions.delete(id);
    return ended.length;
  }

  async removeExpired(limits: {
    readonly usedBefore: number;
    readonly createdBefore: number;
    readonly now: number;
  }): Promise<void> {
    for (const [id, { usedAt, createdAt }] of this.#sessions) {
      if (usedAt < limits.usedBefore || createdAt < limits.createdBefore) this.#sessions.delete(id);
    }
    for (const map of [this.#setups, this.#links]) {
      for (const [key, { expiresAt }] of map) if (expiresAt <= limits.now) map.delete(key);
    }
  }

  async writePasskey(passkey: Passkey): Promise<void> {
    this.#passkeys.set(passkey.id, passkey);
  }

  async readPasskeys(operatorId: string): Promise<readonly Passkey[]> {
    const passkeys = [...this.#passkeys.values()].filter((passkey) => passkey.operatorId === operatorId);
    return sortBy(passkeys, ({ createdAt }) => createdAt);
  }

  async findPasskey(id: string): Promise<Passkey | null> {
    return this.#passkeys.get(id) ?? null;
  }

  async touchPasskey(id: string, counter: number, now: number): Promise<void> {
    const passkey = this.#passkeys.get(id);
    if (passkey) this.#passkeys.set(id, { ...passkey, counter, usedAt: now });
  }

  async removePasskey(operatorId: string, id: string): Promise<boolean> {
    return this.#passkeys.get(id)?.operatorId === operatorId && this.#passkeys.delete(id);
  }

  async writeShareLink(link: ShareLink): Promise<void> {
    this.#links.set(link.id, link);
  }

  async readShareLinks(now: number): Promise<readonly ShareLink[]> {
    const links = [...this.#links.values()].filter(({ expiresAt }) => expiresAt > now);
    return sortBy(links, ({ createdAt }) => -createdAt);
  }

  async findShareLink(tokenHash: string, now: number): Promise<ShareLink | null> {
    const link = [...this.#links.values()].find((other) => other.tokenHash === tokenHash);
    return link !== undefined && link.expiresAt > now ? link : null;
  }

  async removeShareLink(id: string): Promise<boolean> {
    return this.#links.delete(id);
  }

  async readPreferences(): Promise<ConsolePreferences> {
    return this.#preferences;
  }

  async writePreferences(preferences: ConsolePreferences): Promise<void> {
    this.#preferences = preferences;
  }

  async close(): Promise<void> {}
}

function sortBy<Item>(items: readonly Item[], read: (item: Item) => number): readonly Item[] {
  return [...items].sort((one, other) => read(one) - read(other));
}
