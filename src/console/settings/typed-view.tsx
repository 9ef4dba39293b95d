import { MAIL_SERVERS, OTHER_SETTINGS, type TypedSetting } from '../../core/console/typed-settings.ts';
import { Block } from '../frame/data-table.tsx';
import { ActionForm, Select, Submit, TextField } from '../frame/forms.tsx';
import { buildConsoleAddress, IMPORT_PATH } from '../reports/addresses.ts';
import { formatTime } from '../reports/format.ts';
import type { readTypedSettings } from './typed.ts';

interface Props {
  readonly typed: NonNullable<ReturnType<typeof readTypedSettings>>;
  /** Whether the operator has given the password lately: no page repeats a secret that was typed in. */
  readonly isConfirmed: boolean;
  readonly timeZone: string;
}

/** Where readers find the site. */
export function AddressSettings(props: Props) {
  const { typed, isConfirmed } = props;
  return (
    <Block
      title="Address"
      id="address"
      note="Where readers find the site. It is stored once the site answers there."
    >
      <Given {...props} name="SITE_URL" />
      {isConfirmed && !typed.settings['SITE_URL']?.isInEnvironment && (
        <ActionForm of="check-address" className="settings-form">
          <TextField
            label="Address of the site"
            name="address"
            placeholder="https://www.example.com"
            defaultValue={typed.settings['SITE_URL']?.value}
          />
          <Submit>Check and store the address</Submit>
        </ActionForm>
      )}
      <Unlock isConfirmed={isConfirmed} at="address" what="the address" />
      {typed.problem !== null && <p className="problem">{typed.problem}</p>}
    </Block>
  );
}

/** How the site writes to its operators, with a test. */
export function MailSettings(props: Props) {
  const { typed, isConfirmed } = props;
  return (
    <Block title="Mail" id="mail" note="For alerts, the digest and contact messages.">
      <Given {...props} name="SMTP_URL" />
      {isConfirmed && !typed.settings['SMTP_URL']?.isInEnvironment && <MailForm typed={typed} />}
      <Unlock isConfirmed={isConfirmed} at="mail" what="the mail" />
      <ActionForm of="test-mail" className="settings-form">
        <Submit className="button button-quiet">Send me a test</Submit>
      </ActionForm>
    </Block>
  );
}

/** Where the keys of networks are typed in. */
export const NetworkSettings = () => (
  <p className="empty-note" id="networks">
    <a href={buildConsoleAddress('partners', {}, { rest: ['networks'] })}>Choose a network</a>, type its key
    in, then <a href={`${IMPORT_PATH}#sync`}>read it</a>.
  </p>
);

/** Settings that few sites change. */
export function OtherSettings({ typed, isConfirmed }: Props) {
  return (
    <Block title="Other settings" id="others" note="An empty field keeps the default.">
      {isConfirmed && (
        <ActionForm of="save-settings" className="settings-form">
          {OTHER_SETTINGS.map(({ name, label, isSecret }) => {
            const { isInEnvironment, set, value } = typed.settings[name] ?? {};
            return (
              <TextField
                key={name}
                label={isInEnvironment ? `${label} (set on the server)` : label}
                name={name}
                type={isSecret ? 'password' : 'text'}
                defaultValue={value}
                disabled={isInEnvironment}
                placeholder={isSecret && set ? 'Stored; type a new one in' : ''}
              />
            );
          })}
          <Submit>Store</Submit>
        </ActionForm>
      )}
      <Unlock isConfirmed={isConfirmed} at="others" what="other settings" />
    </Block>
  );
}

function MailForm({ typed: { settings, mail } }: { readonly typed: Props['typed'] }) {
  return (
    <ActionForm of="save-mail" className="settings-form" autoComplete="off">
      <Select
        label="Service"
        name="server"
        defaultValue={
          MAIL_SERVERS.find(({ url }) => url !== '' && mail && url.endsWith(mail.host.split(':')[0] ?? ''))
            ?.key
        }
        options={MAIL_SERVERS.map(({ key, name }) => [key, name] as const)}
      />
      <TextField
        label="Server of another one"
        name="host"
        placeholder="mail.example.com:465"
        defaultValue={mail?.host}
      />
      <TextField label="User" name="user" defaultValue={mail?.user} />
      <TextField
        label="Password"
        name="password"
        type="password"
        placeholder={mail === null ? '' : 'Stored; type a new one in'}
      />
      <TextField
        label="Sender"
        name="from"
        placeholder="Site <site@example.com>"
        defaultValue={settings['MAIL_FROM']?.value}
      />
      <TextField label="Recipient" name="to" defaultValue={settings['MAIL_TO']?.value} />
      <Submit>Store the mail</Submit>
    </ActionForm>
  );
}

/** What is set, by whom, and whether the environment wins. */
function Given({ typed, timeZone, name }: Props & { readonly name: TypedSetting }) {
  const { isInEnvironment, set, value } = typed.settings[name] ?? {};
  const shown = name === 'SMTP_URL' ? typed.mail && `${typed.mail.user} at ${typed.mail.host}` : value;
  if (!isInEnvironment && !set) return <p className="empty-note">Not set yet.</p>;
  return (
    <p className="empty-note">
      <b className="text-ink">{shown}</b>
      {isInEnvironment
        ? `, set on the server: remove ${name} there to change it here.`
        : set && `, set ${formatTime(set.at, timeZone)} by ${set.by}.`}
    </p>
  );
}

/** Asks for the password; its answer opens the line with the block `at`. */
function Unlock(props: { readonly isConfirmed: boolean; readonly at: string; readonly what: string }) {
  const { isConfirmed, at, what } = props;
  if (isConfirmed) return null;
  return (
    <ActionForm of="unlock-settings" fields={{ at }} className="settings-form">
      <Submit className="button button-quiet">
        Change<span className="hidden-text"> {what}</span> …
      </Submit>
    </ActionForm>
  );
}
