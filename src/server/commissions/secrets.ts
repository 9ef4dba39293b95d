import process from 'node:process';
import { z } from 'zod';
import { compareConfirmed, type PayeeChange } from '../../content-files/payee.ts';
import {
  isSecretText,
  listFormerSecrets,
  SecretFile,
  type StoredSecret,
} from '../../content-files/secret-file.ts';
import {
  type NetworkFile,
  type Networks,
  SECRET_NAME,
} from '../../core/commissions/networks/network.schema.ts';
import { buildSecretPrefix, describeAccess } from '../../core/commissions/networks/network-access.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { DataProblem } from '../../stores/data-folder.ts';
import type { Ledger } from '../../stores/ledger.ts';

/** What the ledger remembers of the secrets: without the file, a message would pass that nobody has signed. */
const NAMES = 'network-secrets';
const USES = 'network-secret-uses';
/** What was confirmed of the networks' files in the content folder. */
const FILES = 'network-files';
const namesSchema = z.array(z.string());
/** `isFirst`: it was there when this was first looked at, and goes on with secrets of the environment. */
const fileSchema = z.object({ access: z.record(z.string(), z.string()), isFirst: z.boolean() });
const filesSchema = z.record(z.string(), fileSchema);
/** When a secret was last used, and its former one, in ms since 1970. */
const usesSchema = z.record(z.string(), z.object({ at: z.number(), former: z.number().optional() }));

const NAMES_KNOWN_MS = 5_000;
const USE_KNOWN_MS = 60_000;

/** A secret with which messages may be signed. */
export interface AcceptedSecret {
  readonly name: string;
  readonly text: string;
  readonly isFormer: boolean;
}

/**
 * The secrets of networks by their names: those of the environment, which win, and those of the console in a file that
 * only the site's user can read. Another process may write the file.
 */
export class NetworkSecrets {
  /** null: the platform has all secrets, as on Workers. */
  readonly file: SecretFile | null;
  readonly #ledger: Ledger;
  readonly #now: () => number;
  #names: { readonly readAt: number; readonly value: readonly string[] } | null = null;
  readonly #noted = new Map<string, number>();
  #first: string | null = null;
  #confirmed: ReadonlyMap<string, z.output<typeof fileSchema>> = new Map();

  /** `now`: ms since 1970. */
  constructor(file: string | null, ledger: Ledger, now: () => number) {
    this.file = file === null ? null : new SecretFile(file);
    this.#ledger = ledger;
    this.#now = now;
  }

  /** Finds a secret, whatever network it is of; empty without one. Files of networks get theirs by `findFor`. */
  readonly find = (name: string): string =>
    findInEnvironment(name) || (this.#readStored()[name]?.value ?? '');

  /**
   * Reads what was confirmed of the networks' files in the content folder; until then nothing is. What these files have when
   * it is first read counts as confirmed, so that a site of an earlier version goes on. Rejects with `LedgerError`.
   */
  async readConfirmed(networks: Networks): Promise<void> {
    const own = [...networks].filter(([, { shipped }]) => shipped !== undefined);
    const files = own.map(([name, file]) => [name, { access: describeAccess(file), isFirst: true }]);
    this.#first ??= JSON.stringify(Object.fromEntries(files));
    const noted = await this.#ledger.readState(FILES);
    // A site that has nothing to note needs no ledger for it.
    const isNoting = noted === null && (this.#ledger.exists() || this.#first !== '{}');
    const text = isNoting ? await this.#ledger.createState(FILES, this.#first) : (noted ?? '{}');
    this.#confirmed = new Map(Object.entries(filesSchema.parse(JSON.parse(text))));
  }

  /**
   * Returns what finds the secrets that a network's file may send, by what was confirmed when that was last read; a sentence that
   * says why its interface gets none.
   */
  findFor(network: string, file: NetworkFile): ((name: string) => string) | string {
    const places = this.#findPlaces(network, file);
    const prefix = buildSecretPrefix(network);
    const findStored = (name: string) => {
      if (places === null || !name.startsWith(prefix)) return '';
      // Without a file of its own, the platform has what was typed in.
      return this.file === null ? findInEnvironment(name) : (this.#readStored()[name]?.value ?? '');
    };
    const find = places === 'all' ? this.find : findStored;
    if (file.interface?.needs.every((name) => find(name) !== '')) return find;
    return (
      `content/networks/${network}.yaml gets no secrets: confirm its hosts and secrets in Content, ` +
      `and type in secrets whose names begin with ${prefix}.`
    );
  }

  /** Where the secrets of a network's file may come from; null: it was not confirmed. */
  #findPlaces(network: string, file: NetworkFile): 'all' | 'stored' | null {
    const access = describeAccess(file);
    if (file.shipped === undefined || isSame(access, describeShipped(file))) return 'all';
    const confirmed = this.#confirmed.get(network);
    if (confirmed === undefined || !isSame(access, confirmed.access)) return null;
    return confirmed.isFirst ? 'all' : 'stored';
  }

  /** Lists the files of the content folder whose access to secrets was not confirmed. Rejects with `LedgerError`. */
  async listUnconfirmed(networks: Networks): Promise<readonly PayeeChange[]> {
    await this.readConfirmed(networks);
    return [...networks].flatMap(([network, file]) => {
      if (this.#findPlaces(network, file) !== null) return [];
      const known = this.#confirmed.get(network)?.access ?? describeShipped(file);
      const [key, what] = [`networks/${network}`, `What the network ${file.title} may do with secrets`];
      return compareConfirmed({ partner: key, name: file.title, what }, describeAccess(file), known) ?? [];
    });
  }

  /** Confirms the hosts, secrets and signature of a network's file as they are. Rejects with `LedgerError`. */
  async confirm(network: string, file: NetworkFile): Promise<void> {
    const access = describeAccess(file);
    await this.#ledger.changeState(FILES, this.#first ?? '{}', (before) =>
      JSON.stringify({ ...filesSchema.parse(JSON.parse(before)), [network]: { access, isFirst: false } }),
    );
  }

  /**
   * Finds how messages of a network are checked: by the file that ships while another signature was not confirmed. Null: it is
   * to be confirmed first. Rejects with `LedgerError`.
   */
  async findPush(network: string, networks: Networks): Promise<NetworkFile['push'] | null> {
    const file = networks.get(network);
    if (file?.shipped === undefined) return file?.push;
    await this.readConfirmed(networks);
    const ships = describeShipped(file)['signature'];
    const confirmed = this.#confirmed.get(network);
    const known = confirmed === undefined ? ships : confirmed.access['signature'];
    if (describeAccess(file)['signature'] === known) return file.push;
    const { push } = file.shipped ?? {};
    if (push === undefined || ships !== known) return null;
    return { ...push, ...file.push, signature: push.signature, decrypt: push.decrypt };
  }

  /**
   * Finds the secrets of a partner's webhooks, the present one first: `NAME_PARTNER`, else `NAME` of the network's file,
   * else the entry in `WEBHOOK_SECRETS` (`partner=secret`, separated by commas), where earlier versions had them. A former
   * one is in the file, or in the environment as `NAME_FORMER`. Null: one was typed in and is missing, so nothing can be
   * checked. Rejects with `LedgerError`.
   */
  async findForWebhook(partner: string, name: string | undefined): Promise<readonly AcceptedSecret[] | null> {
    const stored = name === undefined ? {} : this.#readStored();
    for (const one of name === undefined ? [] : listWebhookNames(partner, name)) {
      const text = findInEnvironment(one) || (stored[one]?.value ?? '');
      if (text !== '') return [{ name: one, text, isFormer: false }, ...this.#findFormer(one)];
      if ((await this.#readNames()).includes(one)) return null;
    }
    const entries = findInEnvironment('WEBHOOK_SECRETS').split(',');
    const entry = entries.map((text) => text.trim()).findLast((text) => text.startsWith(`${partner}=`));
    const text = entry?.slice(partner.length + 1) ?? '';
    return text === '' ? [] : [{ name: 'WEBHOOK_SECRETS', text, isFormer: false }];
  }

  #findFormer(name: string): readonly AcceptedSecret[] {
    const texts =
      findInEnvironment(name) === ''
        ? listFormerSecrets(this.#readStored(), name).flatMap(({ value, until }) =>
            until > this.#now() ? [value] : [],
          )
        : [findInEnvironment(`${name}_FORMER`)].filter(Boolean);
    return texts.map((text) => ({ name, text, isFormer: true }));
  }

  /** Remembers that a secret was used, at most once a minute. Rejects with `LedgerError`. */
  async noteUse({ name, text, isFormer }: AcceptedSecret): Promise<void> {
    const [now, key] = [this.#now(), `${name} ${isFormer} ${text}`];
    if (now - (this.#noted.get(key) ?? Number.NEGATIVE_INFINITY) < USE_KNOWN_MS) return;
    this.#noted.set(key, now);
    await this.#writeUse(name, (known) =>
      isFormer ? { at: 0, ...known, former: now } : { ...known, at: now },
    );
  }

  /** What the console shows of secrets, which is never their text. Rejects with `LedgerError`. */
  async describe(names: readonly string[]) {
    const [typed, uses] = [await this.#readNames(), await this.#readUses()];
    return names.map((name) => {
      const own = this.#readStored()[name];
      const isInEnvironment = findInEnvironment(name) !== '';
      const use = uses[name];
      const until = Math.max(0, ...listFormerSecrets(this.#readStored(), name).map((one) => one.until));
      return {
        name,
        isInEnvironment,
        /** Null: none was typed in. */
        set: own === undefined ? null : { at: own.setAt, by: own.setBy },
        /** It was typed in, and the file does not have it any more. */
        isMissing: own === undefined && !isInEnvironment && typed.includes(name),
        lastUsedAt: use?.at || null,
        former: until > this.#now() ? { until, lastUsedAt: use?.former ?? null } : null,
      };
    });
  }

  /**
   * Stores a secret; the one before is accepted for `acceptMs` more, those before it as long as was promised. Resolves with why it could not be, as a sentence, else
   * null. Rejects with `LedgerError`.
   */
  async set(name: string, value: string, acceptMs: number, operator: string): Promise<string | null> {
    if (!SECRET_NAME.test(name) || !isSecretText(value))
      return 'A secret has 1 to 2,000 characters on one line.';
    const now = this.#now();
    const before = this.#readStored()[name];
    const replaced = before && acceptMs > 0 ? { value: before.value, until: now + acceptMs } : undefined;
    const isChanged = before?.value !== value;
    const former = isChanged ? replaced : before.former;
    const next = { value, setAt: now, setBy: operator, ...(former && { former }) };
    const { former: kept } = before ?? {};
    const earlier =
      isChanged && before && kept
        ? { [`${name}_FORMER_${kept.until}`]: { ...before, value: kept.value } }
        : {};
    const problem =
      this.file === null
        ? 'The platform has the secrets here: set them there.'
        : this.file.write(now, (secrets) => ({ ...secrets, ...earlier, [name]: next }));
    if (problem !== null) return problem;
    // The last use of the secret before is that of the former one now.
    await this.#writeUse(name, (use) => {
      if (use === undefined || use.at === 0) return use;
      return former === undefined ? undefined : { at: 0, former: use.at };
    });
    await this.#writeNames((names) => [...names.filter((one) => one !== name), name]);
    return null;
  }

  /** Removes a secret, and the former ones with it. Resolves and rejects as `set` does. */
  async remove(name: string): Promise<string | null> {
    const problem =
      this.file === null || this.#readStored()[name] === undefined
        ? null
        : this.file.write(this.#now(), (secrets) => {
            const own = new Set([name, ...listFormerSecrets(secrets, name).map(({ key }) => key)]);
            return Object.fromEntries(Object.entries(secrets).filter(([key]) => !own.has(key)));
          });
    if (problem !== null) return problem;
    await this.#writeUse(name, () => undefined);
    await this.#writeNames((names) => names.filter((one) => one !== name));
    return null;
  }

  /** What an operator has to do about the file; nothing of it is secret. Rejects with `LedgerError`. */
  async readProblems(): Promise<readonly DataProblem[]> {
    if (this.file === null) return [];
    const { problem } = this.file.read();
    const names = this.#ledger.exists() ? await this.#readNames() : [];
    const missing = names.filter((name) => this.find(name) === '').length;
    const lost =
      missing === 0
        ? ''
        : `${missing === 1 ? 'A secret' : `${missing} secrets`} of networks that ${missing === 1 ? 'was' : 'were'} typed in cannot be found: ` +
          'signed messages of their partners get 503. Restore the file from a backup, or type them in again; Connections names the networks.';
    const detail = [problem, lost].filter(Boolean).join(' ');
    return detail === ''
      ? []
      : [{ key: 'network-secrets', title: 'The secrets of networks need you', detail }];
  }

  #readStored(): Readonly<Record<string, StoredSecret | undefined>> {
    const { secrets, isUsable } = this.file?.read() ?? { secrets: {}, isUsable: false };
    return isUsable ? secrets : {};
  }

  async #readNames(): Promise<readonly string[]> {
    const now = this.#now();
    if (this.#names === null || Math.abs(now - this.#names.readAt) >= NAMES_KNOWN_MS) {
      const text = await this.#ledger.readState(NAMES);
      this.#names = { readAt: now, value: namesSchema.parse(JSON.parse(text ?? '[]')) };
    }
    return this.#names.value;
  }

  async #writeNames(change: (names: readonly string[]) => readonly string[]): Promise<void> {
    await this.#ledger.changeState(NAMES, '[]', (before) =>
      JSON.stringify(change(namesSchema.parse(JSON.parse(before)))),
    );
    this.#names = null;
  }

  async #readUses() {
    return parseUses((await this.#ledger.readState(USES)) ?? '');
  }

  async #writeUse(name: string, change: (use: Use | undefined) => Use | undefined): Promise<void> {
    await this.#ledger.changeState(USES, '{}', (before) => {
      const { [name]: known, ...others } = parseUses(before);
      const use = change(known);
      return JSON.stringify(use === undefined ? others : { ...others, [name]: use });
    });
  }
}

const parseUses = (text: string) => usesSchema.safeParse(parseJson(text)).data ?? {};
type Use = z.output<typeof usesSchema>[string];

const describeShipped = ({ shipped }: NetworkFile): ReturnType<typeof describeAccess> =>
  shipped ? describeAccess(shipped) : {};
const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
const findInEnvironment = (name: string): string => process.env[name]?.trim() ?? '';

/** The names under which the secret of a partner's webhooks can be, the most specific first. */
export const listWebhookNames = (partner: string, name: string): readonly string[] => [
  `${name}_${partner.toUpperCase().replaceAll('-', '_')}`,
  name,
];
