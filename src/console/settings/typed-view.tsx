import { MAIL_SERVERS, OTHER_SETTINGS, type TypedSetting } from '../../core/console/typed-settings.ts';
import { Block } from '../frame/data-table.tsx';
import { ActionForm, Select, Submit, TextField } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatTime } from '../reports/format.ts';
import type { readTypedSettings } from './typed.ts';

interface Props {
  readonly typed: NonNullable<ReturnType<typeof readTypedSettings>>;
  /** Whether the operator has given the password lately: no page repeats a secret that was typed in. */
  readonly isConfirmed: boolean;
  readonly timeZone: string;
}

/** What a person sets of the site: its address, its mail, the keys of networks and the rest, each with a test. */
export function SiteSettings(props: Props) {
  const { typed, isConfirmed } = props;
  return (
    <>
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
        <Unlock isConfirmed={isConfirmed} what="the address" />
      </Block>
      <Block title="Mail" id="mail" note="For alerts, the digest and contact messages.">
        <Given {...props} name="SMTP_URL" />
        {isConfirmed && !typed.settings['SMTP_URL']?.isInEnvironment && <MailForm typed={typed} />}
        <Unlock isConfirmed={isConfirmed} what="the mail" />
        <ActionForm of="test-mail" className="settings-form">
          <Submit className="button button-quiet">Send me a test</Submit>
        </ActionForm>
      </Block>
      <Block title="Networks" id="networks" note="Their keys, with a button that reads them.">
        <p className="empty-note">
          <a href={buildConsoleAddress('import', {}, { rest: ['networks'] })}>Choose a network</a>, type its
          key in, then <a href={`${buildConsoleAddress('import')}#sync`}>read it</a>.
        </p>
      </Block>
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
        <Unlock isConfirmed={isConfirmed} what="other settings" />
      </Block>
      {typed.problem !== null && <p className="problem">{typed.problem}</p>}
    </>
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

function Unlock({ isConfirmed, what }: { readonly isConfirmed: boolean; readonly what: string }) {
  if (isConfirmed) return null;
  return (
    <ActionForm of="unlock-settings" className="settings-form">
      <Submit className="button button-quiet">
        Change<span className="hidden-text"> {what}</span> …
      </Submit>
    </ActionForm>
  );
}
