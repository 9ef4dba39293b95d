import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { createTestConsole, postChange } from '../../../test/support/console-ledger.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { getSettingsFile } from '../../content-files/secret-file.ts';
import { NotificationError } from '../../core/console/notification.ts';
import { addTypedSettings } from '../../server/settings.ts';
import { readTypedSettings } from './typed.ts';

async function open() {
  const dataDir = createFolder();
  vi.stubEnv('DATA_DIR', dataDir);
  for (const name of ['SITE_URL', 'SMTP_URL', 'MAIL_FROM', 'MAIL_TO']) vi.stubEnv(name, '');
  const file = getSettingsFile(dataDir);
  const tellSettings = vi.fn();
  const send = vi.fn(async () => undefined);
  const answers = { status: 200, text: '' };
  const site = await createTestConsole({
    platform: {
      settingsFile: file,
      tellSettings,
      httpGet: async () => ({ ...answers, headers: new Headers() }),
      createMailChannel: () => ({ send }),
    },
  });
  answers.text = `<title>${site.content.read().site.name}</title>`;
  const post = (action: string, fields: Readonly<Record<string, string>> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ action, ...fields })) form.set(name, value);
    return postChange(site, 'settings', form);
  };
  return { site, file, dataDir, tellSettings, send, answers, post };
}

const MAIL = {
  server: 'fastmail',
  host: '',
  user: 'me@x.test',
  password: 'p:w/1',
  from: 'me@x.test',
  to: 'me@x.test',
};

it('stores mail for the owner of the file alone, applies it at once, and never shows the password', async () => {
  const { site, file, dataDir, tellSettings, send, post } = await open();
  expect(await post('test-mail')).toMatchObject({ isError: true });
  expect(await post('save-mail', MAIL)).toMatchObject({
    isError: false,
    note: expect.not.stringContaining('p:w'),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const url = 'smtps://me%40x.test:p%3Aw%2F1@smtp.fastmail.com';
  expect(site.settings.SMTP_URL).toBe(url);
  expect(tellSettings).toHaveBeenCalledOnce();
  expect(addTypedSettings({ DATA_DIR: dataDir })).toMatchObject({ SMTP_URL: url });
  expect(JSON.stringify(readTypedSettings(site))).not.toMatch(/p:w|p%3Aw/);
  await post('save-mail', { ...MAIL, password: '', to: 'other@x.test' });
  expect(site.settings).toMatchObject({ SMTP_URL: url, MAIL_TO: 'other@x.test' });
  expect(await post('test-mail')).toMatchObject({
    isError: false,
    message: expect.stringContaining('other@x.test'),
  });
  send.mockRejectedValueOnce(new NotificationError('not-sent', 'mail server: EAUTH 535'));
  expect(await post('test-mail')).toMatchObject({
    isError: true,
    message: expect.stringContaining('for an app'),
  });
});

it('stores an address only where this site answers, and none that would not start', async () => {
  const { site, file, answers, post } = await open();
  answers.text = '<title>Another</title>';
  const address = { address: 'shop.example' };
  expect(await post('check-address', address)).toMatchObject({
    isError: true,
    message: expect.stringContaining('answers, but with another site'),
  });
  answers.text = site.content.read().site.name;
  expect(await post('check-address', address)).toMatchObject({ isError: false });
  expect(site.settings).toMatchObject({ SITE_URL: 'https://shop.example', siteUrl: 'https://shop.example' });
  const before = readFileSync(file, 'utf8');
  expect(await post('save-settings', { RETENTION_MONTHS: '0' })).toMatchObject({
    isError: true,
    message: expect.stringContaining('RETENTION_MONTHS'),
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('leaves what the environment sets as it is, and says so', async () => {
  const { site, dataDir, post } = await open();
  vi.stubEnv('SITE_URL', 'https://given.example');
  await post('check-address', { address: 'https://typed.example' });
  expect(readTypedSettings(site)?.settings['SITE_URL']).toMatchObject({
    isInEnvironment: true,
    set: undefined,
    value: 'https://given.example',
  });
  expect(addTypedSettings({ DATA_DIR: dataDir, SITE_URL: 'https://given.example' })).toMatchObject({
    SITE_URL: 'https://given.example',
  });
  expect(path.basename(getSettingsFile(dataDir))).toBe('settings.json');
});
