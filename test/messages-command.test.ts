import { beforeEach, expect, it } from 'vitest';
import { buildSiteEvent } from '../src/core/events/build-site-event.ts';
import { createFolder } from './support/create-folder.ts';
import { openEventStore } from './support/open-event-store.ts';
import { runCommand } from './support/run-command.ts';

let dir = '';
beforeEach(() => {
  dir = createFolder();
});

const messages = (...args: readonly string[]) =>
  runCommand('messages', args, { DATA_DIR: dir }).then(({ code, stdout, stderr }) =>
    code === 0 ? stdout : stderr,
  );

async function store(...ids: readonly string[]): Promise<void> {
  const events = openEventStore(dir);
  await events.append(
    ids.map((id, index) =>
      buildSiteEvent(
        {
          id: `${id}-8d1a-4c2b-9e7f-2a6d4b8c0e12`,
          name: 'contact_message',
          page: '/contact',
          data: {
            topic: 'general',
            name: `Ana ${index}`,
            email: 'ana@example.com',
            message: 'One\x1b[31m\ntwo',
          },
        },
        { now: Date.UTC(2026, 10, 20, 12, index), gpc: false },
      ),
    ),
  );
  await events.close();
}

it('says that there is no message, or no folder', async () => {
  expect(await messages()).toContain('set DATA_DIR to the folder');
  await store();
  expect(await messages()).toBe('There are no contact messages.\n');
});

it('lists unread messages first, shows one, and marks it as read and as answered', async () => {
  await store('aaaaaaaa', 'bbbbbbbb');
  expect(await messages('read', 'BBBB')).toBe(
    'Ana 1 <ana@example.com>\n2026-11-20 12:01 UTC, general, /contact\n\nOne[31m\ntwo\n',
  );
  const lines = (await messages()).split('\n');
  expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['aaaaaaaa', '2026-11-20 12:00', 'new'],
    ['bbbbbbbb', '2026-11-20 12:01', 'read'],
    [''],
  ]);
  await messages('answered', 'bbbbbbbb');
  await messages('read', 'bbbbbbbb');
  expect(await messages()).toContain('answered');
});

it('deletes a message, and refuses an id that none or several have', async () => {
  await store('aaaaaaaa', 'aaaabbbb');
  expect(await messages('delete', 'aaaa')).toBe('2 messages have an id that begins with "aaaa".\n');
  expect(await messages('delete', 'cccc')).toBe('No message has an id that begins with "cccc".\n');
  expect(await messages('delete', 'aaaab')).toContain('was deleted');
  expect(await messages()).not.toContain('aaaabbbb');
});

it('deletes newsletter sign-ups by their address', async () => {
  await store('aaaaaaaa');
  const data = { email: 'ana@example.com', consent: 'Yes' };
  const parts = { id: 'cccccccc', name: 'newsletter_signup', page: '/help', data } as const;
  const events = openEventStore(dir);
  await events.append([buildSiteEvent(parts, { now: Date.parse('2026-11-20T12:00:00Z'), gpc: false })]);
  await events.close();
  expect(await messages('delete-signups')).toContain('An email address is missing.');
  expect(await messages('delete-signups', 'ANA@example.com')).toBe('1 newsletter sign-up was deleted.\n');
  expect(await messages('delete-signups', 'ana@example.com')).toBe('0 newsletter sign-ups were deleted.\n');
  expect(await messages()).toContain('aaaaaaaa');
});
