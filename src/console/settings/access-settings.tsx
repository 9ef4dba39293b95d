import { useContext } from 'react';
import { MIN_PASSWORD_LENGTH } from '../access/password.ts';
import type { ActionName } from '../actions.ts';
import { Block, DataTable } from '../frame/data-table.tsx';
import { ActionForm, Checkbox, FormContext, Submit, TextField, useAction } from '../frame/forms.tsx';
import { formatTime } from '../reports/format.ts';
import type { readSettings } from './read.ts';

type SettingsModel = NonNullable<Awaited<ReturnType<typeof readSettings>>>;

/** As the forms of sign-in and set-up. */
const MAX_FIELD_LENGTH = 1_000;

interface Props {
  readonly model: SettingsModel;
}

/** Where the operator is signed in. */
export function SessionSettings({ model: { sessions, timeZone } }: Props) {
  return (
    <Block
      title="Your sessions"
      note="A session ends after 12 hours without use, and after 30 days."
      id="sessions"
    >
      <DataTable
        caption="Browsers in which you are signed in"
        rows={sessions}
        getKey={({ id }) => id}
        empty="No session."
        columns={[
          {
            name: 'Browser',
            render: ({ browser, isCurrent }) => (isCurrent ? `${browser} (this one)` : browser),
          },
          { name: 'Last used', render: ({ usedAt }) => formatTime(usedAt, timeZone) },
          {
            name: 'Signed in',
            onPhone: 'hidden',
            render: ({ createdAt }) => formatTime(createdAt, timeZone),
          },
          {
            name: 'Change',
            onPhone: 'lead',
            render: ({ id, browser }) => (
              <ActionForm of="end-session" fields={{ id }}>
                <Submit className="text-button">
                  End<span className="hidden-text"> the session in {browser}</span>
                </Submit>
              </ActionForm>
            ),
          },
        ]}
      />
      <div className="flex flex-wrap gap-[.7rem] pt-4">
        {sessions.length > 1 && (
          <ActionForm of="end-other-sessions">
            <Submit className="button button-quiet">End all others</Submit>
          </ActionForm>
        )}
        <ActionForm of="end-all-sessions">
          <Submit className="button button-quiet">Sign out everywhere</Submit>
        </ActionForm>
      </div>
    </Block>
  );
}

/** Changes the password; the current one is required, so that an unattended browser does not suffice. */
export function PasswordSettings({ model }: Props) {
  const { self } = model;
  return (
    <Block title="Your password" note="Changing it ends all your other sessions." id="password">
      <ActionForm of="change-password" className="settings-form">
        <input type="text" name="username" autoComplete="username" defaultValue={self.name} readOnly hidden />
        <TextField
          label="Current password"
          type="password"
          name="current"
          required
          maxLength={MAX_FIELD_LENGTH}
          autoComplete="current-password"
        />
        <TextField
          label={`New password, at least ${MIN_PASSWORD_LENGTH} characters`}
          type="password"
          name="password"
          required
          minLength={MIN_PASSWORD_LENGTH}
          maxLength={MAX_FIELD_LENGTH}
          autoComplete="new-password"
        />
        <OtherAccess model={model} />
        <Submit>Change the password</Submit>
      </ActionForm>
    </Block>
  );
}

/** What else gives access and stays after a change of the password, unless it is removed with it. */
function OtherAccess({ model: { passkeys, created, sessions } }: Props) {
  const choices = [
    ...passkeys.map(({ id, label }) => ({ field: 'passkey', id, text: `Passkey ${label}` })),
    ...created.invitations.map(({ id, name }) => ({
      field: 'invitation',
      id,
      text: `Invitation of ${name}`,
    })),
    ...created.shareLinks.map(({ id, name }) => ({
      field: 'share-link',
      id,
      text: `Share link for ${name}`,
    })),
  ];
  const others = sessions.filter(({ isCurrent }) => !isCurrent).map(({ browser }) => browser);
  return (
    <>
      {others.length > 0 && (
        <p className="flex-[1_0_100%] empty:hidden">These sessions end: {others.join(', ')}.</p>
      )}
      {choices.length > 0 && (
        <fieldset className="settings-choices">
          <legend>Also revoke what someone else may know or have added</legend>
          {choices.map(({ field, id, text }) => (
            <Checkbox key={`${field} ${id}`} label={text} name={field} value={id} />
          ))}
        </fieldset>
      )}
    </>
  );
}

/** Keys that sign the operator in instead of the password. */
export function PasskeySettings({ model: { passkeys, isConfirmed, timeZone } }: Props) {
  return (
    <Block
      title="Your passkeys"
      note="A second way in, with the lock of a device or a security key instead of the password."
      id="passkeys"
    >
      <DataTable
        caption="Passkeys with which you can sign in"
        rows={passkeys}
        getKey={({ id }) => id}
        empty="No passkey yet. They work at an https address or at localhost."
        columns={[
          { name: 'Passkey', render: ({ label }) => label },
          {
            name: 'Last used',
            render: ({ usedAt }) => (usedAt === null ? 'never' : formatTime(usedAt, timeZone)),
          },
          {
            name: 'Change',
            onPhone: 'lead',
            render: ({ id, label }) => (
              <ConfirmedForm
                of="remove-passkey"
                id={id}
                name="Remove"
                about={`the passkey ${label}`}
                confirm={`Remove ${label}`}
              />
            ),
          },
        ]}
      />
      <NewPasskey isConfirmed={isConfirmed} />
      <noscript>
        <p className="empty-note">Adding a passkey needs scripts: browsers offer no other way.</p>
      </noscript>
    </Block>
  );
}

/** The form for a passkey, or the way to it: an operator who was not asked for the password lately has to give it first. */
function NewPasskey({ isConfirmed }: { readonly isConfirmed: boolean }) {
  const { token } = useContext(FormContext);
  return isConfirmed ? (
    <form className="settings-form" data-passkey="register" data-token={token} hidden>
      <TextField label="Name of the new passkey" name="label" required maxLength={60} placeholder="Laptop" />
      <Submit>Add a passkey</Submit>
      <p role="status" className="flex-[1_0_100%] empty:hidden" data-passkey-status />
    </form>
  ) : (
    <div data-needs-script hidden>
      <ActionForm of="confirm" className="settings-form">
        <Submit>Add a passkey</Submit>
      </ActionForm>
    </div>
  );
}

/** A change that cannot be undone: the first click opens it, the second makes it. Works without scripts. */
export function ConfirmedForm(props: {
  readonly of: ActionName;
  readonly id: string;
  /** The word of the first click, with what it is about for those who do not see the row. */
  readonly name: string;
  readonly about: string;
  /** The words of the second click. */
  readonly confirm: string;
}) {
  const { of, id, name, about, confirm } = props;
  if (!useAction(of)) return null;
  return (
    <details className="confirm">
      <summary className="text-button">
        {name}
        <span className="hidden-text"> {about}</span> …
      </summary>
      <ActionForm of={of} fields={{ id }}>
        <Submit className="button bg-danger text-surface [&:hover]:bg-[color-mix(in_oklab,var(--danger)_85%,var(--ink))]">
          {confirm}
        </Submit>
      </ActionForm>
    </details>
  );
}
