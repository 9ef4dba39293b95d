import { describe, expect, it } from 'vitest';
import {
  CONTACT_LIMITS,
  type ContactValues,
  checkContactValues,
  readContactValues,
} from './contact-message.ts';

const topics = ['general', 'expert'];
const good: ContactValues = {
  topic: 'general',
  name: 'Ada Example',
  email: 'ada@example.com',
  message: 'Which plan?\nWe are three.',
};
const check = (change: Partial<ContactValues>) => checkContactValues({ ...good, ...change }, topics);

describe('a message', () => {
  it('with all four fields can be sent', () => {
    expect(check({})).toEqual({});
  });

  it.each([
    ['a topic that the form does not offer', { topic: 'evil' }, 'topic'],
    ['no topic', { topic: '' }, 'topic'],
    ['no name', { name: '' }, 'name'],
    ['a name of spaces', { name: ' \t ' }, 'name'],
    ['a name of invisible characters', { name: '\u202e\u200b' }, 'name'],
    ['a name that is a novel', { name: 'a'.repeat(CONTACT_LIMITS.name + 1) }, 'name'],
    ['no address', { email: '' }, 'email'],
    ['an address without @', { email: 'ada.example.com' }, 'email'],
    ['an address without a dot', { email: 'ada@example' }, 'email'],
    ['an address with a space', { email: 'a da@example.com' }, 'email'],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 'email'],
    ['an address with a header in it', { email: 'a@example.com\nBcc: b@example.com' }, 'email'],
    ['an address that is too long', { email: `${'a'.repeat(250)}@example.com` }, 'email'],
    ['no message', { message: ' \n ' }, 'message'],
    ['a message that is too long', { message: 'a'.repeat(CONTACT_LIMITS.message + 1) }, 'message'],
  ])('with %s says so at that field', (_, change, field) => {
    expect(Object.keys(check(change))).toEqual([field]);
  });

  it('that is too long says by how much, and that nothing is cut', () => {
    expect(check({ message: 'a'.repeat(5_240) }).message).toContain('has 5240 characters; 5000 fit');
  });

  it.each([['ada+news@sub.example.co.uk'], ['ädä@bücher.example'], ["o'neil@example.com".replace("'", '.')]])(
    'from %s can be answered',
    (email) => {
      expect(check({ email })).toEqual({});
    },
  );
});

it('what is no text counts as empty', () => {
  const posted: Record<string, unknown> = { topic: 1, name: ['x'], email: null, message: { toString: 'x' } };
  expect(readContactValues((field) => posted[field])).toEqual({
    topic: '',
    name: '',
    email: '',
    message: '',
  });
});
