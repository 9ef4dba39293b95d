import { expect, it } from 'vitest';
import { createMemoryConsole } from '../../../test/support/memory-console.ts';
import { IssuedAddresses } from './change.ts';

const ADDRESS = { title: 'Share link', url: 'https://site.example/console/share/secret', note: 'Once.' };

function createIssued() {
  const { temporary: store } = createMemoryConsole();
  return {
    store,
    issued: new IssuedAddresses(
      () => store,
      () => 1,
    ),
  };
}

it('shows an address once, also when another instance responds', async () => {
  const { store, issued } = createIssued();
  await issued.put('o-1', ADDRESS, 'session');
  const other = new IssuedAddresses(
    () => store,
    () => 2,
  );
  expect(await other.take('o-1', 'session')).toEqual(ADDRESS);
  expect(await issued.take('o-1', 'session')).toBeNull();
});

it('stores no address that the database alone could reveal, and shows it to no other session', async () => {
  const { store, issued } = createIssued();
  await issued.put('o-1', ADDRESS, 'session');
  const stored = (await store.read('issued', 'o-1', 1)) ?? '';
  expect(stored).not.toBe('');
  expect(Buffer.from(stored, 'base64url').toString('latin1')).not.toContain('secret');
  expect(await issued.take('o-2', 'session')).toBeNull();
  expect(await issued.take('o-1', 'other session')).toBeNull();
});

it('shows nothing for a value that was not stored by it', async () => {
  const { store, issued } = createIssued();
  await store.put({ kind: 'issued', key: 'o-1', value: 'x', expiresAt: 9 }, { now: 1 });
  expect(await issued.take('o-1', 'session')).toBeNull();
});
