import type { ReactNode } from 'react';
import { buildConsolePath } from '../../core/paths.ts';

/** A form that changes a setting: a button, with what it is about in hidden fields or in fields of its own. */
export function SettingsForm(props: {
  /** What the form asks for, as `settings-changes.ts` names it. */
  readonly action: string;
  readonly formToken: string;
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { action, formToken, id, className, children } = props;
  return (
    <form method="post" action={buildConsolePath('settings')} className={className}>
      <input type="hidden" name="token" value={formToken} />
      <input type="hidden" name="action" value={action} />
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      {children}
    </form>
  );
}

/** A change that cannot be undone: the first click opens it, the second makes it. Works without scripts. */
export function ConfirmedForm(props: {
  readonly action: string;
  readonly formToken: string;
  readonly id: string;
  /** The word of the first click, with what it is about for those who do not see the row. */
  readonly name: string;
  readonly about: string;
  /** The words of the second click. */
  readonly confirm: string;
}) {
  const { action, formToken, id, name, about, confirm } = props;
  return (
    <details className="confirm">
      <summary className="text-button">
        {name}
        <span className="hidden-text"> {about}</span> …
      </summary>
      <SettingsForm action={action} formToken={formToken} id={id}>
        <button type="submit" className="button button-danger">
          {confirm}
        </button>
      </SettingsForm>
    </details>
  );
}
