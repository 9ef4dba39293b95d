import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import { EditorFieldError } from '../../editor/form.tsx';
import type { ActionName } from '../actions.ts';

/** What the forms of a view need: the token of the session, and the actions that its operator may use. */
export const FormContext = createContext<{
  readonly token: string;
  readonly actions: ReadonlySet<string>;
  /** A number of this page for each action that makes something new; its forms carry it. */
  readonly once?: ReadonlyMap<string, string>;
}>({ token: '', actions: new Set() });

/** Whether the viewer was handed an action. */
export const useAction = (name: ActionName): boolean => useContext(FormContext).actions.has(name);

/**
 * A form that asks for an action, or whose buttons say which of several (`ActionButton`); nothing where the viewer was
 * handed none of them. `fields`: what it is about, hidden.
 */
export function ActionForm({
  of,
  fields = {},
  children,
  ...form
}: Omit<ComponentProps<'form'>, 'method'> & {
  readonly of: ActionName | readonly ActionName[];
  readonly fields?: Readonly<Record<string, string>>;
}) {
  const { token, actions, once } = useContext(FormContext);
  if (![of].flat().some((name) => actions.has(name))) return null;
  const sent = [of].flat().flatMap((name) => once?.get(name) ?? [])[0];
  const hidden = {
    token,
    ...(sent !== undefined && { sent }),
    ...(typeof of === 'string' && { action: of }),
    ...fields,
  };
  return (
    <form method="post" {...form}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

/** A button that says which of the actions of its form is asked for; nothing where the viewer was not handed it. */
export function ActionButton({
  of,
  ...button
}: Omit<ComponentProps<'button'>, 'type' | 'name' | 'value'> & { readonly of: ActionName }) {
  const { actions, once } = useContext(FormContext);
  const sent = once?.get(of);
  if (!actions.has(of)) return null;
  return (
    <>
      {sent !== undefined && <input type="hidden" name="sent" value={sent} form={button.form} />}
      <button type="submit" name="action" value={of} {...button} />
    </>
  );
}

/** The button that sends a form. */
export const Submit = (button: Omit<ComponentProps<'button'>, 'type'>) => (
  <button type="submit" className="button" {...button} />
);

type FieldProps<Tag extends 'input' | 'select'> = ComponentProps<Tag> & { readonly label: ReactNode };

/** A field for a line of text, or of another `type`. `className` is that of its label. */
export const TextField = ({ label, className, ...input }: FieldProps<'input'>) => (
  <label className={className}>
    {label}
    <input type="text" autoComplete="off" {...input} />
  </label>
);

type OptionList = readonly (readonly [value: string, text: ReactNode])[];

/** The options of a choice. */
export const Options = ({ of }: { readonly of: OptionList }) =>
  of.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));

/** A choice: of `options`, or of those that are its children. */
export const Select = ({
  label,
  className,
  options = [],
  children,
  ...select
}: FieldProps<'select'> & { readonly options?: OptionList }) => (
  <label className={className}>
    {label}
    <select {...select}>
      {children}
      <Options of={options} />
    </select>
  </label>
);

const CURRENCY_NAMES = new Intl.DisplayNames('en-US', { type: 'currency' });
const CURRENCIES = Intl.supportedValuesOf('currency');
const COMMON_CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'SEK', 'JPY', 'INR'];

/** A choice of a currency: after `children`, those of `first`, and all others. */
export const CurrencyField = ({
  first = COMMON_CURRENCIES,
  children,
  ...select
}: FieldProps<'select'> & { readonly first?: readonly string[] }) => {
  const name = (codes: readonly string[]): OptionList =>
    codes.map((code) => [code, `${code}, ${CURRENCY_NAMES.of(code)}`]);
  return (
    <Select name="currency" {...select}>
      {children ??
        ((!select.required || !select.defaultValue) && (
          <option value="">{select.required ? 'Choose' : 'Not stated'}</option>
        ))}
      <Options of={name(first)} />
      <optgroup label="Others">
        <Options of={name(CURRENCIES.filter((code) => !first.includes(code)))} />
      </optgroup>
    </Select>
  );
};

/** A box to tick. */
export const Checkbox = ({ label, className, ...input }: FieldProps<'input'>) => (
  <label className={className}>
    <input type="checkbox" {...input} />
    {label}
  </label>
);

interface DescribedBy {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/**
 * A field of the editor, with its label, its help and what is wrong with it above: a line of text, or what `children` make
 * with the attributes that name it and these texts.
 */
export function EditorField({
  id,
  label,
  isOptional = false,
  help,
  error,
  children,
  ...input
}: Omit<ComponentProps<'input'>, 'children'> & {
  readonly id: string;
  readonly label: ReactNode;
  readonly isOptional?: boolean;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly children?: (own: DescribedBy) => ReactNode;
}) {
  const described = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`];
  const own = {
    id,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': error !== undefined || undefined,
  };
  return (
    <div className="editor-field">
      <label htmlFor={id}>
        {label}
        {isOptional && <small> optional</small>}
      </label>
      {help !== undefined && (
        <p className="editor-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error !== undefined && <EditorFieldError id={id} text={error} />}
      {children?.(own) ?? <input type="text" autoComplete="off" {...own} {...input} />}
    </div>
  );
}
