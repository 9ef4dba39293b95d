import { CONSOLE_SIGN_IN_PATH } from '../../core/paths.ts';
import type { SignInPage } from '../console-page.ts';
import { Entrance, EntranceError } from './entrance.tsx';

/** The form that asks for name and password. */
export function SignInForm({ page: { siteName, next, name, error } }: { readonly page: SignInPage }) {
  return (
    <Entrance siteName={siteName} title="Sign in">
      <EntranceError error={error} />
      <form method="post" action={CONSOLE_SIGN_IN_PATH} className="entrance-form">
        <input type="hidden" name="next" value={next} />
        <label htmlFor="name">Name</label>
        <input id="name" name="name" defaultValue={name} autoComplete="username" required maxLength={80} />
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={1000}
        />
        <button type="submit">Sign in</button>
      </form>
      <button type="button" className="entrance-passkey" data-passkey="sign-in" data-next={next} hidden>
        Sign in with a passkey
      </button>
      <p role="status" className="entrance-note" data-passkey-status />
      <p className="entrance-note">
        A forgotten password is set again where the site runs: <code>npm run operator -- reset NAME</code>.
      </p>
    </Entrance>
  );
}
