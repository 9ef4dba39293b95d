import type { ComponentProps, ReactNode } from 'react';
import { CONSOLE_SIGN_IN_PATH } from '../../core/paths.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import type { ConfirmPage, KeptPage, RefusedPage, SetupPage, SignInPage } from '../console-page.ts';
import { Submit } from '../frame/forms.tsx';
import { MIN_PASSWORD_LENGTH } from './password.ts';

/** The frame of pages outside the views: sign-in, setup, refusals. */
export function AccessPage(props: {
  readonly siteName: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const { siteName, title, children } = props;
  return (
    <main id="main" className="access" tabIndex={-1}>
      <p className="text-muted">{siteName} console</p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}

/** A sentence about what went wrong; nothing without one. */
function AccessPageError({ error }: { readonly error: string | null }) {
  return error === null ? null : (
    <p className="access-error" role="alert">
      {error}
    </p>
  );
}

/** The part of a form that shows that a page of the console has sent it, and what it asks for. */
function FormFields(props: { readonly token: string; readonly fields?: Readonly<Record<string, string>> }) {
  const { token, fields = {} } = props;
  return (
    <>
      <input type="hidden" name="token" value={token} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** Why a request was refused, with one way on. */
export function RefusalNote({ page: { siteName, title, message, link } }: { readonly page: RefusedPage }) {
  return (
    <AccessPage siteName={siteName} title={title}>
      <p>{message}</p>
      {link && (
        <p>
          <a href={link.href}>{link.text}</a>
        </p>
      )}
    </AccessPage>
  );
}

/** A line of text and more is shown; the rest is what its form is about. */
const isWritten = ([name, value]: readonly [string, string]) => /\s/.test(value) && name !== 'action';

/** The form that was not handled, with what was written. */
export function KeptForm({ page }: { readonly page: KeptPage }) {
  const { siteName, title, message, action, token, fields, isSignedOut } = page;
  const written = Object.entries(fields).filter(isWritten);
  const hidden = Object.entries(fields).filter((field) => !isWritten(field));
  return (
    <AccessPage siteName={siteName} title={title}>
      <p role="alert">{message}</p>
      {isSignedOut && (
        <p>
          <a href={CONSOLE_SIGN_IN_PATH} target="_blank" rel="noopener">
            Sign in in another tab
          </a>
        </p>
      )}
      <form method="post" action={action} className="access-form" encType="multipart/form-data">
        <FormFields token={token} fields={Object.fromEntries(hidden)} />
        {written.map(([name, value]) => (
          <textarea key={name} name={name} aria-label={name} defaultValue={value} rows={6} />
        ))}
        <Submit>Send it again</Submit>
      </form>
      <p className="text-muted text-small">
        <a href={action}>Change nothing</a>
      </p>
    </AccessPage>
  );
}

/** The form behind a one-time address. */
export function SetupForm({ page }: { readonly page: SetupPage }) {
  const { siteName, action, name, isNew, error } = page;
  return (
    <AccessPage siteName={siteName} title={isNew ? 'Set up your access' : 'Choose a new password'}>
      <p>
        This address works once. Afterwards you sign in with this name and password.
        {!isNew &&
          ' All your sessions, passkeys and open invitations end; Settings shows the share links that are left.'}
      </p>
      <AccessPageError error={error} />
      <form method="post" action={action} className="access-form">
        <label htmlFor="name">Name</label>
        <input
          id="name"
          name="name"
          defaultValue={name}
          autoComplete="username"
          required
          maxLength={80}
          readOnly={!isNew}
        />
        <PasswordInput
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          aria-describedby="password-note"
        />
        <p id="password-note" className="text-muted text-small">
          At least {MIN_PASSWORD_LENGTH} characters. A sentence or four unrelated words are easy to remember
          and hard to guess.
        </p>
        <Submit>{isNew ? 'Open the console' : 'Set the password'}</Submit>
      </form>
    </AccessPage>
  );
}

/** A labelled field for a password. */
const PasswordInput = (input: ComponentProps<'input'>) => (
  <>
    <label htmlFor="password">Password</label>
    <input id="password" name="password" type="password" required maxLength={1000} {...input} />
  </>
);

/** The form that asks for name and password. */
export function SignInForm({ page: { siteName, next, name, error } }: { readonly page: SignInPage }) {
  return (
    <AccessPage siteName={siteName} title="Sign in">
      <AccessPageError error={error} />
      <form method="post" action={CONSOLE_SIGN_IN_PATH} className="access-form">
        <input type="hidden" name="next" value={next} />
        <label htmlFor="name">Name</label>
        <input id="name" name="name" defaultValue={name} autoComplete="username" required maxLength={80} />
        <PasswordInput autoComplete="current-password" />
        <Submit>Sign in</Submit>
      </form>
      <button type="button" className="access-passkey" data-passkey="sign-in" data-next={next} hidden>
        Sign in with a passkey
      </button>
      <p role="status" className="text-muted text-small" data-passkey-status />
      <p className="text-muted text-small">
        A forgotten password is set again where the site runs:{' '}
        <code>{nameCommand('operator reset NAME')}</code>.
      </p>
    </AccessPage>
  );
}

/** The form that asks for the password again. Its fields are those of the form that was posted before. */
export function ConfirmForm({ page }: { readonly page: ConfirmPage }) {
  const { siteName, action, token, fields, passwordField, purpose, reason, name, hasPasskeys, error } = page;
  return (
    <AccessPage siteName={siteName} title="Confirm that it is you">
      <p>
        <b>{purpose}.</b> {reason}
      </p>
      <AccessPageError error={error} />
      <form method="post" action={action} className="access-form" id="confirm" encType="multipart/form-data">
        <FormFields token={token} fields={fields} />
        <label htmlFor="username">Name</label>
        <input id="username" defaultValue={name} autoComplete="username" readOnly />
        <PasswordInput name={passwordField} autoComplete="current-password" />
        <Submit>Confirm</Submit>
      </form>
      {hasPasskeys && (
        <>
          <button type="button" className="access-passkey" data-passkey="confirm" data-token={token} hidden>
            Confirm with a passkey
          </button>
          <p role="status" className="text-muted text-small" data-passkey-status />
        </>
      )}
      <p className="text-muted text-small">
        <a href={action}>Change nothing</a>
      </p>
    </AccessPage>
  );
}
