import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { createCertificate } from '../../../test/support/certificate.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { buildSampleNotification } from '../../../test/support/sample-notification.ts';
import { type SmtpInbox, startSmtpInbox } from '../../../test/support/smtp-inbox.ts';
import { createSmtpChannel, type SmtpOptions } from './smtp-channel.ts';

const NOTIFICATION = buildSampleNotification({
  id: 'contact:0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12',
  kind: 'contact',
  subject: 'Message from Ana',
  text: 'Does it work?\n\nAna',
  replyTo: { name: 'Ana', address: 'ana@example.com' },
});

let inbox: SmtpInbox | undefined;
afterEach(async () => {
  await inbox?.close();
  inbox = undefined;
});

async function start(options: SMTPServerOptions = {}, more: Partial<SmtpOptions> = {}) {
  inbox = await startSmtpInbox(options);
  const { port } = inbox;
  return createChannel(port, more);
}

const createChannel = (port: number, more: Partial<SmtpOptions> = {}) =>
  createSmtpChannel({
    host: '127.0.0.1',
    port,
    isSecure: false,
    user: '',
    password: '',
    from: 'Signpost <site@example.com>',
    to: 'one@example.com, two@example.com',
    ...more,
  });

const headOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n'));
/** Header lines with what continues them. */
const listHeaders = (raw: string) =>
  headOf(raw)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');

describe('a mail server', () => {
  it('gets the message with sender, recipients, subject, Reply-To, text and HTML', async () => {
    const channel = await start();
    await channel.send(NOTIFICATION);
    const [mail] = inbox?.mails ?? [];
    expect([mail?.from, mail?.to]).toEqual(['site@example.com', ['one@example.com', 'two@example.com']]);
    const headers = listHeaders(mail?.raw ?? '');
    expect(headers).toContain('Subject: Message from Ana');
    expect(headers).toContain('Reply-To: Ana <ana@example.com>');
    expect(headers).toContain('Message-ID: <contact-0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12@example.com>');
    expect(headers).toContain('Date: Fri, 20 Nov 2026 12:00:00 +0000');
    expect(mail?.raw).toContain('Does it work?\r\n\r\nAna');
    expect(mail?.raw).toContain('<p>Does it work?</p>');
  });

  it('is signed in to with user and password', async () => {
    const seen: unknown[] = [];
    const channel = await start(
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth({ username, password }, _session, callback) {
          seen.push([username, password]);
          callback(null, { user: 'operator' });
        },
      },
      { user: 'site', password: 'secret' },
    );
    await channel.send(NOTIFICATION);
    expect([seen, inbox?.mails.length]).toEqual([[['site', 'secret']], 1]);
  });

  it.each<[string, SMTPServerOptions, string]>([
    ['that refuses the recipient for good', failAt('onRcptTo', 550), 'refused'],
    ['that refuses the recipient for now', failAt('onRcptTo', 451), 'not-sent'],
    ['that refuses the sender for good', failAt('onMailFrom', 553), 'refused'],
    ['that refuses the content for good', failAt('onData', 554), 'refused'],
    ['that refuses the content for now', failAt('onData', 452), 'not-sent'],
  ])('%s, %o: %s', async (_, options, code) => {
    const channel = await start(options);
    await expect(channel.send(NOTIFICATION)).rejects.toMatchObject({ name: 'NotificationError', code });
  });

  it('that refuses the password has not got the message, and the error does not show the password', async () => {
    const channel = await start(
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_auth, _session, callback) => callback(new Error('no')),
      },
      { user: 'site', password: 'wrong-secret' },
    );
    const error = await channel.send(NOTIFICATION).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'not-sent' });
    expect(String(error)).not.toContain('wrong-secret');
  });

  it('that disappears after the content may have taken the message', async () => {
    const channel = await start({
      onData(stream) {
        stream.resume();
        stream.on('end', () => inbox?.disconnect());
      },
    });
    await expect(channel.send(NOTIFICATION)).rejects.toMatchObject({ code: 'unknown' });
  });

  it('that has a certificate of its own gets the message encrypted without a password, and no password', async () => {
    const own = {
      ...createCertificate('localhost', Date.now() + 3_600_000),
      disabledCommands: [],
      authOptional: true,
    };
    await (await start(own)).send(NOTIFICATION);
    expect(inbox?.mails).toHaveLength(1);
    await inbox?.close();
    const channel = await start(own, { host: 'localhost', user: 'site', password: 'secret' });
    const error = await channel.send(NOTIFICATION).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'not-sent' });
    expect(String(error)).toMatch(/self-signed certificate/);
    expect(inbox?.mails).toHaveLength(0);
  });

  it.each([
    ['', 0],
    ['site', 1],
  ])(
    'that offers encryption and refuses it gets the message without a password alone: %j',
    async (user, held) => {
      const lines: string[] = [];
      const replies = {
        EHLO: '250-a\r\n250 STARTTLS',
        STARTTLS: '454 not now',
        DATA: '354 go',
        QUIT: '221 bye',
      };
      const server = createServer((socket) => {
        socket.on('error', () => undefined).write('220 a\r\n');
        socket.on('data', (bytes) => {
          lines.push(String(bytes));
          const [, command = ''] = /^([A-Z]+)[ \r]/.exec(String(bytes)) ?? [];
          const isBody = lines.some((line) => /^DATA/.test(line)) && !/^(?:DATA|QUIT)\b/.test(String(bytes));
          if (!isBody || /\r\n\.\r\n$/.test(String(bytes)))
            socket.write(
              `${Object.entries(replies).find(([name]) => name === command)?.[1] ?? '250 ok'}\r\n`,
            );
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      // An address of this machine that is not on the list of its own addresses.
      const channel = createChannel(port, { user, password: user && 'secret', host: '::ffff:127.0.0.1' });
      const error = await channel.send(NOTIFICATION).catch((reason: unknown) => reason);
      server.close();
      expect([error === undefined, lines.join('').includes('Does it work?')]).toEqual([
        held === 0,
        held === 0,
      ]);
      if (held === 1) expect(error).toMatchObject({ code: 'not-sent' });
      expect(lines.join('')).not.toMatch(/AUTH/);
    },
  );

  it('that is not there has not got the message', async () => {
    const { port, close } = await startSmtpInbox();
    await close();
    await expect(createChannel(port).send(NOTIFICATION)).rejects.toMatchObject({ code: 'not-sent' });
  });

  it('that says nothing has not got the message', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await expect(createChannel(port, { timeoutMs: 100 }).send(NOTIFICATION)).rejects.toMatchObject({
      code: 'not-sent',
    });
    silent.close();
  });

  it('without encryption gets no password from another machine', async () => {
    const seen: unknown[] = [];
    const channel = await start(
      { onAuth: (auth, _session, callback) => callback(null, { user: String(seen.push(auth)) }) },
      // An address of this machine that is not on the list of its own addresses.
      { user: 'site', password: 'secret', host: '0.0.0.0' },
    );
    await expect(channel.send(NOTIFICATION)).rejects.toMatchObject({ code: 'not-sent' });
    expect(seen).toEqual([]);
  });
});

function failAt(step: 'onMailFrom' | 'onRcptTo' | 'onData', responseCode: number): SMTPServerOptions {
  const error = Object.assign(new Error('refused'), { responseCode });
  if (step === 'onMailFrom') return { onMailFrom: (_address, _session, callback) => callback(error) };
  if (step === 'onRcptTo') return { onRcptTo: (_address, _session, callback) => callback(error) };
  return {
    onData(stream, _session, callback) {
      stream.resume();
      stream.on('end', () => callback(error));
    },
  };
}

describe('what a visitor wrote', () => {
  const EXPECTED = 'Auto-Submitted Content-Type Date From MIME-Version Message-ID Reply-To Subject To'.split(
    ' ',
  );
  const namesOf = (raw: string) =>
    listHeaders(raw)
      .map((line) => line.slice(0, line.indexOf(':')))
      .sort();

  it.each([
    'Ana\r\nBcc: all@example.com',
    'Ana\nBcc: all@example.com',
    'Ana\rBcc: all@example.com',
    'Ana\u2028Bcc: all@example.com',
    'Ana\0\x1b[31m',
    '"Ana" <boss@example.com>, <all@example.com>',
    '=?utf-8?q?=0D=0ABcc=3A_all=40example.com?=',
    '‮evil',
    '\ud800 half',
  ])('adds no header and no recipient: %j', async (text) => {
    const channel = await start();
    await channel.send({
      ...NOTIFICATION,
      id: `contact:${text}`,
      subject: `Message from ${text}`,
      text,
      replyTo: { name: text, address: 'ana@example.com' },
    });
    const [mail] = inbox?.mails ?? [];
    expect(namesOf(mail?.raw ?? '')).toEqual(EXPECTED);
    expect(mail?.to).toEqual(['one@example.com', 'two@example.com']);
  });

  it.each([
    'ana@example.com\r\nBcc: all@example.com',
    'ana@example.com>, <all@example.com',
    'a b@c.d',
    '@',
    'ana',
  ])('gives no Reply-To for the address %j', async (address) => {
    const channel = await start();
    await channel.send({ ...NOTIFICATION, replyTo: { name: 'Ana', address } });
    expect(namesOf(inbox?.mails[0]?.raw ?? '')).toEqual(EXPECTED.filter((name) => name !== 'Reply-To'));
  });

  it('adds no header, whatever it is', { tags: ['rest'] }, async () => {
    const channel = await start();
    const texts = fc.string({ unit: 'binary', maxLength: 80 });
    await forAll(0.2, [texts, texts], async (subject, name) => {
      await channel.send({ ...NOTIFICATION, subject, replyTo: { name, address: 'ana@example.com' } });
      const names = namesOf(inbox?.mails.at(-1)?.raw ?? '');
      // A subject without a visible character is left out.
      expect(EXPECTED).toEqual(expect.arrayContaining(names));
      expect(new Set(names).size).toBe(names.length);
    });
  });

  it('is escaped in the HTML, and a line with a single dot does not end the message', async () => {
    const channel = await start();
    await channel.send({ ...NOTIFICATION, text: '<script>alert(1)</script>\n.\nlast line' });
    const { raw = '' } = inbox?.mails[0] ?? {};
    expect(raw.slice(raw.indexOf('text/html'))).not.toMatch(/<script/i);
    expect(raw).toContain('&lt;script&gt;');
    expect(raw).toContain('last line');
  });
});
