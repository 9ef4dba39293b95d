import process from 'node:process';
import type { z } from 'zod';
import { isSecretText, SecretFile } from '../../content-files/secret-file.ts';
import { NotificationError, type OperatorNotification } from '../../core/console/notification.ts';
import {
  MAIL_SERVERS,
  OTHER_SETTINGS,
  TYPED_SETTINGS,
  type TypedSetting,
} from '../../core/console/typed-settings.ts';
import { parseSmtpUrl } from '../../core/contact/delivery-addresses.ts';
import { addTypedSettings, parseSettings, SettingsError } from '../../server/settings.ts';
import type { settingActions } from '../actions.ts';
import type { ConsoleSite } from '../console-site.ts';

type Fields<Name extends keyof typeof settingActions.actions> = z.output<
  (typeof settingActions.actions)[Name]['fields']
>;
const done = (fragment: string, message: string, note: string) => ({
  message,
  fragment,
  note,
  isError: false,
});
type Result = ReturnType<typeof done>;
const failed = (fragment: string, message: string): Result => ({
  ...done(fragment, message, ''),
  isError: true,
});

const open = ({ platform }: ConsoleSite) =>
  platform.settingsFile === undefined ? null : new SecretFile(platform.settingsFile);

/** Reads what is typed in and what the environment sets; null where the platform has all settings. No secret is part of it. */
export function readTypedSettings(site: ConsoleSite) {
  const file = open(site);
  if (file === null) return null;
  const { secrets, problem } = file.read();
  const { SMTP_URL: url } = site.settings;
  const server = parseSmtpUrl(url);
  const find = (name: TypedSetting) => ({
    isInEnvironment: (process.env[name]?.trim() ?? '') !== '',
    set: secrets[name] && { at: secrets[name].setAt, by: secrets[name].setBy },
    // Of a secret, only that there is one.
    value: SECRETS.includes(name) ? '' : (secrets[name]?.value ?? process.env[name]?.trim() ?? ''),
  });
  const settings = Object.fromEntries(TYPED_SETTINGS.map((name) => [name, find(name)] as const));
  return { settings, problem, mail: server && { host: `${server.host}:${server.port}`, user: server.user } };
}

const SECRETS: readonly TypedSetting[] = ['SMTP_URL', 'WEBHOOK_KEY', 'NEWSLETTER_KEY'];

/** Stores settings after they were checked together with the others; an empty text removes one. Returns why not, or null. */
function store(
  site: ConsoleSite,
  values: Partial<Record<TypedSetting, string>>,
  operator: string,
): string | null {
  const file = open(site);
  if (file === null) return 'The platform has the settings here: set them there.';
  const names = TYPED_SETTINGS.filter((name) => values[name] !== undefined && !process.env[name]?.trim());
  const wrong = names.find((name) => values[name] !== '' && !isSecretText(values[name] ?? ''));
  if (wrong !== undefined) return 'A setting is one line of at most 2,000 characters.';
  const changed = Object.fromEntries(names.map((name) => [name, values[name]]));
  try {
    parseSettings({ ...addTypedSettings(process.env), ...changed });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return `${error.message.split('\n').slice(1).join(' ').trim()}.`;
  }
  const setAt = site.clock.now();
  const problem = file.write(setAt, (secrets) => {
    const kept = Object.entries(secrets).filter(([name]) => changed[name] === undefined);
    const added = names.flatMap((name) =>
      values[name] === '' ? [] : [[name, { value: values[name] ?? '', setAt, setBy: operator }] as const],
    );
    return Object.fromEntries([...kept, ...added]);
  });
  if (problem !== null) return problem;
  Object.assign(site.settings, parseSettings(addTypedSettings(process.env)));
  site.platform.tellSettings?.();
  return null;
}

const CHECK = { headers: {}, deadlineMs: 10_000, maxBytes: 2_000_000 } as const;

/** Stores the address of the site when this site answers there: another one would lock the operator out. */
export async function changeSiteAddress(
  site: ConsoleSite,
  { address }: Fields<'check-address'>,
  operator: string,
): Promise<Result> {
  const at = '#address';
  const typed = address === '' || /^https?:/i.test(address) ? address : `https://${address}`;
  if (typed !== '' && !URL.canParse(typed))
    return failed(at, 'An address looks like https://www.example.com.');
  const host = typed === '' ? '' : new URL(typed).host;
  if (typed !== '') {
    const response = await site.platform.httpGet(new URL('/', typed), CHECK).catch(() => null);
    if (response === null)
      return failed(at, `${host} does not answer. Point its name to this server, then check again.`);
    const name = site.content.read().site.name.replace(/[&<>"].*/, '');
    if (response.status !== 200 || !response.text.includes(name))
      return failed(
        at,
        `${host} answers, but with another site. Point its name to this server, then check again.`,
      );
  }
  const problem = store(site, { SITE_URL: typed && new URL(typed).origin }, operator);
  if (problem !== null) return failed(at, problem);
  return done(
    at,
    typed === ''
      ? 'The site has no address of its own any more.'
      : `${host} answers with this site. Pages and feeds name it from now on; cookies and HSTS from the next start.`,
    typed === '' ? 'Removed the address of the site.' : `Set the address of the site to ${host}.`,
  );
}

/** Stores how mail is sent; an empty password leaves that of the same user as it is. */
export function changeMail(site: ConsoleSite, fields: Fields<'save-mail'>, operator: string): Result {
  const at = '#mail';
  const { server, host, user, password, from, to } = fields;
  const known = parseSmtpUrl(site.settings.SMTP_URL);
  const preset = MAIL_SERVERS.find(({ key }) => key === server)?.url ?? '';
  const [scheme = '', place = ''] = preset === '' ? ['', host] : preset.split('//');
  const secret = password === '' && user === known?.user ? known.password : password;
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(secret)}@`;
  const kind = scheme || (/:465$|^[^:]*$/.test(place) ? 'smtps:' : 'smtp:');
  const url = place === '' ? '' : `${kind}//${login}${place}`;
  const problem = store(site, { SMTP_URL: url, MAIL_FROM: from, MAIL_TO: to }, operator);
  if (problem !== null) return failed(at, problem);
  return done(
    at,
    url === '' ? 'No mail is sent any more.' : 'Stored. Send yourself a test now.',
    'Changed how mail is sent.',
  );
}

/** Sends a mail to the operator, and says in words what the server said. */
export async function testMail({ settings, platform, clock, newId, content }: ConsoleSite): Promise<Result> {
  const at = '#mail';
  const server = parseSmtpUrl(settings.SMTP_URL);
  const { MAIL_FROM: from, MAIL_TO: to } = settings;
  if (server === null) return failed(at, 'Set up the server first.');
  const { name } = content.read().site;
  const test: OperatorNotification = {
    id: `test-${newId()}`,
    kind: 'alert',
    html: null,
    replyTo: null,
    fields: {},
    createdAt: clock.now(),
    subject: `${name}: a test`,
    text: `This mail shows that ${name} can write to you. Nothing has to be done.`,
  };
  try {
    await platform.createMailChannel({ ...server, from, to }).send(test);
    return done(at, `${server.host} has accepted the test for ${to}.`, 'Sent a test mail.');
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    const hint = /\b535\b|EAUTH/.test(error.message)
      ? ' The password was refused: Google, Microsoft and Fastmail need one that is made for an app.'
      : '';
    return failed(at, `The test was not accepted (${error.message}).${hint}`);
  }
}

/** Stores the other settings; an empty secret leaves the one that is there. */
export function changeOthers(site: ConsoleSite, fields: Fields<'save-settings'>, operator: string): Result {
  const values = OTHER_SETTINGS.flatMap(({ name, isSecret }) => {
    const value = fields[name] ?? '';
    return isSecret && value === '' ? [] : [[name, value] as const];
  });
  const problem = store(site, Object.fromEntries(values), operator);
  if (problem !== null) return failed('#others', problem);
  return done(
    '#others',
    'Stored. The time zone and the retention apply from the next start, the others now.',
    'Changed other settings.',
  );
}
