import { describe, expect, it } from 'vitest';
import { CAPABILITIES } from '../../src/core/console/capabilities.ts';
import type {
  Operator,
  OperatorSession,
  OperatorSetup,
  Operators,
  Passkey,
  ShareLink,
} from '../../src/stores/operators.ts';

const NOW = Date.UTC(2026, 10, 20);

const buildOperator = (changes: Partial<Operator> = {}): Operator => ({
  id: 'o-1',
  name: 'Ada',
  capabilities: CAPABILITIES,
  passwordHash: 'hash-1',
  passkeyUserId: 'user-1',
  createdAt: NOW,
  ...changes,
});

const buildSetup = (changes: Partial<OperatorSetup> = {}): OperatorSetup => ({
  tokenHash: 'setup-1',
  purpose: 'first',
  operatorId: null,
  name: '',
  capabilities: CAPABILITIES,
  createdBy: '',
  expiresAt: NOW + 1_000,
  ...changes,
});

const buildSession = (changes: Partial<OperatorSession> = {}): OperatorSession => ({
  id: 's-1',
  tokenHash: 'session-1',
  operatorId: 'o-1',
  browser: 'Firefox on Linux',
  createdAt: NOW,
  usedAt: NOW,
  confirmedAt: null,
  ...changes,
});

const PASSKEY: Passkey = {
  id: 'key-1',
  operatorId: 'o-1',
  label: 'Laptop',
  publicKey: 'cose',
  counter: 3,
  transports: ['usb', 'internal'],
  createdAt: NOW,
  usedAt: null,
};

const LINK: ShareLink = {
  id: 'link-1',
  tokenHash: 'share-1',
  view: 'pages',
  parameters: 'range=7d',
  label: 'For the accountant',
  createdBy: 'Ada',
  createdAt: NOW,
  expiresAt: NOW + 1_000,
};

/** What gives access to the console after each change, for an operator Bob and another one, who loses nothing. */
const CHANGES: readonly (readonly [
  name: string,
  change: (store: Operators) => Promise<boolean>,
  remaining: readonly string[],
])[] = [
  ['a removal', (store) => store.removeOperator('bob'), []],
  [
    'a reset',
    (store) => store.completeSetup('reset of bob', buildBob({ passwordHash: 'hash-2' }), NOW),
    ['operator', 'share link'],
  ],
  [
    'a change of the password',
    (store) => store.changePassword(buildBob(), 'hash-2', 'session of bob', NOTHING),
    ['operator', 'session', 'passkey', 'invitation', 'share link'],
  ],
  [
    'a change of the password that removes what the operator chose',
    (store) =>
      store.changePassword(buildBob(), 'hash-2', 'session of bob', {
        passkeys: ['passkey of bob', 'passkey of ada'],
        purposes: ['invite by Bob', 'invite by Ada', 'reset ada'],
        shareLinks: ['share link of bob', 'share link of ada'],
      }),
    ['operator', 'session'],
  ],
  [
    'a change to looking and money',
    (store) => store.changeCapabilities('bob', ['money']),
    ['operator', 'session', 'other session', 'passkey', 'reset'],
  ],
  [
    'a change to managing without money',
    (store) => store.changeCapabilities('bob', ['content', 'publish', 'manage']),
    ['operator', 'session', 'other session', 'passkey', 'reset'],
  ],
  [
    'a change to the same capabilities',
    (store) => store.changeCapabilities('bob', CAPABILITIES),
    ['operator', 'session', 'other session', 'passkey', 'invitation', 'reset', 'share link'],
  ],
];

const NOTHING = { passkeys: [], purposes: [], shareLinks: [] };
const buildBob = (changes: Partial<Operator> = {}) =>
  buildOperator({ id: 'bob', name: 'Bob', createdAt: NOW + 1, ...changes });

/** Gives an operator one of everything that gives access. */
async function giveEverything(store: Operators, { id, name, passwordHash }: Operator): Promise<void> {
  for (const kind of ['session', 'other session'])
    await store.writeSession(
      buildSession({ id: `${kind} of ${id}`, tokenHash: `${kind} of ${id}`, operatorId: id }),
      passwordHash,
    );
  await store.writePasskey({ ...PASSKEY, id: `passkey of ${id}`, operatorId: id });
  await store.writeSetup(
    buildSetup({ tokenHash: `invitation of ${id}`, purpose: `invite by ${name}`, createdBy: name }),
  );
  await store.writeSetup(
    buildSetup({ tokenHash: `reset of ${id}`, purpose: `reset ${id}`, operatorId: id, name }),
  );
  await store.writeShareLink({
    ...LINK,
    id: `share link of ${id}`,
    tokenHash: `share link of ${id}`,
    createdBy: name,
  });
}

/** What of everything still gives access. */
async function findRemaining(store: Operators, id: string): Promise<readonly string[]> {
  const found = [
    ['operator', await store.readOperator(id)],
    ['session', await store.findSession(`session of ${id}`)],
    ['other session', await store.findSession(`other session of ${id}`)],
    ['passkey', await store.findPasskey(`passkey of ${id}`)],
    ['invitation', await store.findSetup(`invitation of ${id}`, NOW)],
    ['reset', await store.findSetup(`reset of ${id}`, NOW)],
    ['share link', await store.findShareLink(`share link of ${id}`, NOW)],
  ] as const;
  return found.flatMap(([kind, value]) => (value === null ? [] : [kind]));
}

/** Runs the contract of the operator store against an adapter. */
export function describeOperators(name: string, create: () => Operators): void {
  const use = async (run: (store: Operators) => Promise<void>) => {
    const store = create();
    try {
      await run(store);
    } finally {
      await store.close();
    }
  };

  async function add(store: Operators, operator: Operator): Promise<void> {
    const setup = buildSetup({ tokenHash: `for-${operator.id}`, purpose: `invite ${operator.name}` });
    await store.writeSetup(setup);
    expect(await store.completeSetup(setup.tokenHash, operator, NOW)).toBe(true);
  }

  describe(`operators: ${name}`, () => {
    it('has no operator at first, and every question has an empty response', () =>
      use(async (store) => {
        expect(await store.readOperators()).toEqual([]);
        expect(await store.readOperator('o-1')).toBeNull();
        expect(await store.findOperator('Ada')).toBeNull();
        expect(await store.findSession('session-1')).toBeNull();
        expect(await store.findSetup('setup-1', NOW)).toBeNull();
        expect(await store.findPasskey('key-1')).toBeNull();
        expect(await store.findShareLink('share-1', NOW)).toBeNull();
        expect(await store.removeOperator('o-1')).toBe(false);
        expect(await store.removeSessions('o-1')).toBe(0);
      }));

    it('stores an operator with a one-time address, once', () =>
      use(async (store) => {
        await store.writeSetup(buildSetup());
        expect(await store.findSetup('setup-1', NOW)).toEqual(buildSetup());
        const results = await Promise.all([
          store.completeSetup('setup-1', buildOperator(), NOW),
          store.completeSetup('setup-1', buildOperator({ id: 'o-2', name: 'Eve' }), NOW),
        ]);
        expect(results.filter(Boolean)).toHaveLength(1);
        expect(await store.readOperators()).toHaveLength(1);
        expect(await store.findSetup('setup-1', NOW)).toBeNull();
        expect(await store.completeSetup('setup-1', buildOperator({ id: 'o-3', name: 'Mal' }), NOW)).toBe(
          false,
        );
      }));

    it('stores nothing with an address that has expired, was replaced or never existed', () =>
      use(async (store) => {
        await store.writeSetup(buildSetup());
        expect(await store.findSetup('setup-1', NOW + 1_000)).toBeNull();
        expect(await store.completeSetup('setup-1', buildOperator(), NOW + 1_000)).toBe(false);
        await store.writeSetup(buildSetup({ tokenHash: 'setup-2' }));
        await store.writeSetup(buildSetup({ tokenHash: 'setup-3' }));
        expect(await store.completeSetup('setup-2', buildOperator(), NOW)).toBe(false);
        expect(await store.completeSetup('setup-9', buildOperator(), NOW)).toBe(false);
        expect(await store.readOperators()).toEqual([]);
        expect(await store.completeSetup('setup-3', buildOperator(), NOW)).toBe(true);
      }));

    it('finds an operator by a name in any case and composition, and lets no other take it', () =>
      use(async (store) => {
        const operator = buildOperator({ name: 'Zoë' });
        await add(store, operator);
        expect(await store.findOperator(' ZOE\u0308 ')).toEqual(operator);
        const setup = buildSetup({ tokenHash: 'setup-2', purpose: 'invite' });
        await store.writeSetup(setup);
        const taken = store.completeSetup('setup-2', buildOperator({ id: 'o-2', name: 'zoë' }), NOW);
        await expect(taken).rejects.toMatchObject({ name: 'OperatorStoreError', code: 'name-taken' });
        // The address still works, for another name.
        expect(await store.findSetup('setup-2', NOW)).toEqual(setup);
        expect(await store.readOperators()).toEqual([operator]);
      }));

    it('sets the password of an operator again, and changes nothing else', () =>
      use(async (store) => {
        await add(store, buildOperator());
        await store.writeSetup(buildSetup({ tokenHash: 'reset-1', purpose: 'reset o-1', operatorId: 'o-1' }));
        const changed = { passwordHash: 'hash-2', capabilities: ['money'], passkeyUserId: 'other' } as const;
        expect(await store.completeSetup('reset-1', buildOperator(changed), NOW)).toBe(true);
        expect(await store.readOperators()).toEqual([buildOperator({ passwordHash: 'hash-2' })]);
      }));

    it('lets the reset address of one operator set no password of another', () =>
      use(async (store) => {
        await add(store, buildOperator());
        await add(store, buildOperator({ id: 'o-2', name: 'Bob', capabilities: ['money'] }));
        await store.writeSession(buildSession(), 'hash-1');
        await store.writeSetup(buildSetup({ tokenHash: 'reset-2', purpose: 'reset o-2', operatorId: 'o-2' }));
        expect(await store.completeSetup('reset-2', buildOperator({ passwordHash: 'hash-9' }), NOW)).toBe(
          false,
        );
        expect((await store.readOperator('o-1'))?.passwordHash).toBe('hash-1');
        expect(await store.findSession('session-1')).not.toBeNull();
      }));

    it('never removes the last operator who manages', () =>
      use(async (store) => {
        await add(store, buildOperator());
        await add(store, buildBob({ capabilities: ['money'] }));
        expect(await store.removeOperator('o-1')).toBe(false);
        expect((await store.readOperators()).map(({ id }) => id)).toEqual(['o-1', 'bob']);
      }));

    it.each(CHANGES)(
      'leaves after %s what it should of one operator, and all of the other',
      (_, change, remaining) =>
        use(async (store) => {
          const ada = buildOperator({ id: 'ada' });
          for (const operator of [ada, buildBob()]) {
            await add(store, operator);
            await giveEverything(store, operator);
          }
          const all = await findRemaining(store, 'ada');
          expect(all).toHaveLength(7);
          expect(await findRemaining(store, 'bob')).toEqual(all);
          expect(await change(store)).toBe(true);
          expect(await findRemaining(store, 'bob')).toEqual(remaining);
          expect(await findRemaining(store, 'ada')).toEqual(all);
        }),
    );

    it.each(['first', 'invite Bob'])(
      'ends every older address when one (%s) makes the first operator',
      (purpose) =>
        use(async (store) => {
          for (const other of ['first', 'invite Bob', 'invite Eve'])
            await store.writeSetup(buildSetup({ tokenHash: other, purpose: other }));
          expect(await store.completeSetup(purpose, buildOperator(), NOW)).toBe(true);
          expect(await store.readSetups(NOW)).toEqual([]);
          for (const other of ['first', 'invite Bob', 'invite Eve'])
            expect(await store.completeSetup(other, buildBob(), NOW)).toBe(false);
          // An address for the first operator that was created meanwhile makes no second one.
          await store.writeSetup(buildSetup({ tokenHash: 'late' }));
          expect(await store.findSetup('late', NOW)).toBeNull();
          expect(await store.completeSetup('late', buildBob(), NOW)).toBe(false);
        }),
    );

    it('lists open addresses with their creator, and withdraws one', () =>
      use(async (store) => {
        await add(store, buildOperator());
        const invitation = buildSetup({
          tokenHash: 'i',
          purpose: 'invite Bob',
          name: 'Bob',
          createdBy: 'Ada',
        });
        expect(await store.writeSetup(invitation)).toBe(true);
        await store.writeSetup(buildSetup({ tokenHash: 'past', purpose: 'past', expiresAt: NOW }));
        expect(await store.readSetups(NOW)).toEqual([invitation]);
        expect(await store.removeSetup('invite Bob')).toBe(true);
        expect(await store.removeSetup('invite Bob')).toBe(false);
        expect(await store.findSetup('i', NOW)).toBeNull();
      }));

    it('lets an operator create nothing who was removed or does not manage any more', () =>
      use(async (store) => {
        await add(store, buildOperator({ id: 'ada' }));
        await add(store, buildBob());
        await store.changeCapabilities('bob', ['money']);
        await store.writePasskey({ ...PASSKEY, id: 'key of another', operatorId: 'bob' });
        for (const createdBy of ['Bob', 'Eve']) {
          expect(await store.writeSetup(buildSetup({ tokenHash: 'i', purpose: 'invite', createdBy }))).toBe(
            false,
          );
          expect(await store.writeShareLink({ ...LINK, createdBy })).toBe(false);
        }
        expect(await store.writePasskey({ ...PASSKEY, operatorId: 'eve' })).toBe(false);
        expect(await store.writeSession(buildSession({ operatorId: 'eve' }), 'hash-1')).toBe(false);
        // The password was checked before it was changed.
        expect(await store.writeSession(buildSession({ operatorId: 'bob' }), 'hash-0')).toBe(false);
        expect(await store.findSetup('i', NOW)).toBeNull();
        expect(await store.findShareLink('share-1', NOW)).toBeNull();
        expect(await store.findPasskey('key-1')).toBeNull();
        expect(await store.findSession('session-1')).toBeNull();
        expect(await store.changePassword(buildBob({ passwordHash: 'hash-0' }), 'hash-2', '', NOTHING)).toBe(
          false,
        );
        expect((await store.readOperator('bob'))?.passwordHash).toBe('hash-1');
      }));

    it('changes what operators may do, but never that of the last one who manages', () =>
      use(async (store) => {
        await add(store, buildOperator({ id: 'ada' }));
        await add(store, buildBob({ capabilities: ['money'] }));
        expect(await store.changeCapabilities('ada', ['money'])).toBe(false);
        expect(await store.changeCapabilities('bob', CAPABILITIES)).toBe(true);
        const both = [store.changeCapabilities('ada', ['money']), store.changeCapabilities('bob', ['money'])];
        expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1);
        expect(await store.changeCapabilities('eve', CAPABILITIES)).toBe(false);
      }));

    it('notes when a session was confirmed', () =>
      use(async (store) => {
        await add(store, buildOperator());
        await store.writeSession(buildSession(), 'hash-1');
        expect((await store.readSessions('o-1'))[0]?.confirmedAt).toBeNull();
        expect(await store.confirmSession('s-1', NOW + 5)).toBe(true);
        expect((await store.findSession('session-1'))?.session.confirmedAt).toBe(NOW + 5);
        expect(await store.confirmSession('s-9', NOW + 5)).toBe(false);
      }));

    it('lists the sessions of an operator by last use and ends one, the others or all', () =>
      use(async (store) => {
        await add(store, buildOperator());
        const other = buildSession({ id: 's-2', tokenHash: 'session-2' });
        await store.writeSession(buildSession(), 'hash-1');
        await store.writeSession(other, 'hash-1');
        await store.writeSession(buildSession({ id: 's-3', tokenHash: 'session-3' }), 'hash-1');
        await store.touchSession('s-2', NOW + 5);
        await store.touchSession('s-2', NOW + 4);
        expect(await store.findSession('session-2')).toEqual({
          session: { ...other, usedAt: NOW + 5 },
          operator: buildOperator(),
        });
        expect((await store.readSessions('o-1'))[0]?.id).toBe('s-2');
        expect(await store.removeSession('o-9', 's-2')).toBe(false);
        expect(await store.removeSession('o-1', 's-1')).toBe(true);
        expect(await store.removeSessions('o-1', 's-2')).toBe(1);
        expect((await store.readSessions('o-1')).map(({ id }) => id)).toEqual(['s-2']);
        expect(await store.removeSessions('o-1')).toBe(1);
      }));

    it('changes the password of one operator alone', () =>
      use(async (store) => {
        await add(store, buildOperator());
        await add(store, buildBob());
        expect(await store.changePassword(buildOperator(), 'hash-2', '', NOTHING)).toBe(true);
        expect(await store.readOperators()).toEqual([buildOperator({ passwordHash: 'hash-2' }), buildBob()]);
        expect(await store.changePassword(buildOperator({ id: 'o-9' }), 'hash-2', '', NOTHING)).toBe(false);
      }));

    it('stores preferences, the newest ones', () =>
      use(async (store) => {
        expect(await store.readPreferences()).toEqual({ digest: 'off', weekStart: 'monday' });
        await store.writePreferences({ digest: 'weekly', weekStart: 'sunday' });
        expect(await store.readPreferences()).toEqual({ digest: 'weekly', weekStart: 'sunday' });
        await store.writePreferences({ digest: 'off', weekStart: 'sunday' });
        expect(await store.readPreferences()).toEqual({ digest: 'off', weekStart: 'sunday' });
      }));

    it('snoozes tasks until they return, each once, and forgets those that have returned', () =>
      use(async (store) => {
        const snooze = { key: 'backup', until: NOW + 10, amount: null, currency: null, level: 0 };
        await store.writeSnooze(snooze, NOW);
        const overdue = { key: 'overdue:kit', until: NOW + 20, amount: 12_000, currency: 'USD', level: 2 };
        await store.writeSnooze({ ...overdue, until: NOW + 5 }, NOW);
        await store.writeSnooze(overdue, NOW);
        expect(await store.readSnoozes()).toEqual([snooze, overdue]);
        await store.writeSnooze({ ...overdue, key: 'overdue:wise' }, NOW + 10);
        expect((await store.readSnoozes()).map(({ key }) => key)).toEqual(['overdue:kit', 'overdue:wise']);
        expect(await store.removeSnooze('overdue:kit')).toBe(true);
        expect(await store.removeSnooze('overdue:kit')).toBe(false);
      }));

    it('stores passkeys with their counter', () =>
      use(async (store) => {
        await add(store, buildOperator());
        await store.writePasskey(PASSKEY);
        expect(await store.readPasskeys('o-1')).toEqual([PASSKEY]);
        await store.touchPasskey('key-1', 4, NOW + 1);
        expect(await store.findPasskey('key-1')).toEqual({ ...PASSKEY, counter: 4, usedAt: NOW + 1 });
        expect(await store.removePasskey('o-9', 'key-1')).toBe(false);
        expect(await store.removePasskey('o-1', 'key-1')).toBe(true);
        expect(await store.readPasskeys('o-1')).toEqual([]);
      }));

    it('stores share links until they expire or are revoked', () =>
      use(async (store) => {
        await add(store, buildOperator());
        await store.writeShareLink(LINK);
        await store.writeShareLink({ ...LINK, id: 'link-2', tokenHash: 'share-2', createdAt: NOW + 1 });
        expect(await store.findShareLink('share-1', NOW)).toEqual(LINK);
        expect(await store.findShareLink('share-1', NOW + 1_000)).toBeNull();
        expect((await store.readShareLinks(NOW)).map(({ id }) => id)).toEqual(['link-2', 'link-1']);
        expect(await store.readShareLinks(NOW + 1_000)).toEqual([]);
        expect(await store.removeShareLink('link-1')).toBe(true);
        expect(await store.removeShareLink('link-1')).toBe(false);
        expect(await store.findShareLink('share-1', NOW)).toBeNull();
      }));

    it('removes what has expired and nothing else', () =>
      use(async (store) => {
        await add(store, buildOperator());
        await store.writeSession(
          buildSession({ id: 'old', tokenHash: 'old', createdAt: NOW - 100 }),
          'hash-1',
        );
        await store.writeSession(
          buildSession({ id: 'idle', tokenHash: 'idle', usedAt: NOW - 100 }),
          'hash-1',
        );
        await store.writeSession(buildSession(), 'hash-1');
        await store.writeSetup(buildSetup({ tokenHash: 'past', purpose: 'past', expiresAt: NOW }));
        await store.writeSetup(buildSetup({ tokenHash: 'valid', purpose: 'valid' }));
        await store.writeShareLink({ ...LINK, expiresAt: NOW });
        await store.removeExpired(NOW - 50, NOW);
        expect((await store.readSessions('o-1')).map(({ id }) => id)).toEqual(['s-1', 'idle']);
        expect(await store.findSetup('past', NOW - 1)).toBeNull();
        expect(await store.findSetup('valid', NOW)).not.toBeNull();
        expect(await store.readShareLinks(NOW - 1)).toEqual([]);
      }));
  });
}
