import type { SetupPage } from '../console-page.ts';
import { MIN_PASSWORD_LENGTH } from './check-password.ts';
import { Entrance, EntranceError } from './entrance.tsx';

/** The form behind a one-time address. */
export function SetupForm({ page }: { readonly page: SetupPage }) {
  const { siteName, action, name, isNew, error } = page;
  return (
    <Entrance siteName={siteName} title={isNew ? 'Set up your access' : 'Choose a new password'}>
      <p>This address works once. Afterwards you sign in with this name and password.</p>
      <EntranceError error={error} />
      <form method="post" action={action} className="entrance-form">
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
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={MIN_PASSWORD_LENGTH}
          maxLength={1000}
          aria-describedby="password-note"
        />
        <p id="password-note" className="entrance-note">
          At least {MIN_PASSWORD_LENGTH} characters. A sentence or four unrelated words are easy to remember
          and hard to guess.
        </p>
        <button type="submit">{isNew ? 'Open the console' : 'Set the password'}</button>
      </form>
    </Entrance>
  );
}
