import { type ComponentProps, createContext, useContext } from 'react';
import type { ActionName } from '../actions.ts';

/** What the forms of a view need: the token of the session, and the actions that its operator may use. */
export const FormContext = createContext<{ readonly token: string; readonly actions: ReadonlySet<string> }>({
  ...{ token: '', actions: new Set() },
});

/** Whether the viewer was handed an action. */
export const useAction = (name: ActionName): boolean => useContext(FormContext).actions.has(name);

/** A form that asks for an action; nothing where the viewer was not handed it. `fields`: what it is about, hidden. */
export function ActionForm({
  of,
  fields = {},
  children,
  ...form
}: Omit<ComponentProps<'form'>, 'method'> & {
  readonly of: ActionName;
  readonly fields?: Readonly<Record<string, string>>;
}) {
  const { token, actions } = useContext(FormContext);
  if (!actions.has(of)) return null;
  return (
    <form method="post" {...form}>
      {Object.entries({ token, action: of, ...fields }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
