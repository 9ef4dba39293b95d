import { cloneElement, type ReactElement } from 'react';
import type { FormState } from '../../core/pages/page-context.ts';

interface ControlProps {
  readonly id?: string;
  readonly name?: string;
  readonly className?: string;
  readonly 'aria-invalid'?: boolean | undefined;
  readonly 'aria-describedby'?: string;
}

/** One field of a form with its label, hint and, when there is one, what is wrong with it. */
export function FormField(props: {
  readonly form: 'contact' | 'newsletter';
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** The control; it gets its name, its look and its description. */
  readonly children: ReactElement<ControlProps>;
}) {
  const { form, name, label, hint, error, children } = props;
  const id = `${form}-${name}`;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {cloneElement(children, {
        id,
        name,
        className: 'field w-full',
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`,
      })}
      <FieldError form={form} name={name} text={error} />
    </div>
  );
}

/** What is wrong with a field; hidden when nothing is. */
export function FieldError(props: {
  readonly form: 'contact' | 'newsletter';
  readonly name: string;
  readonly text: string | undefined;
}) {
  const { form, name, text } = props;
  return (
    <p
      id={`${form}-${name}-error`}
      data-error={name}
      hidden={text === undefined}
      className="text-sm text-danger"
    >
      {text}
    </p>
  );
}

/** What every form ends with: a field that only programs fill in (a honeypot), its token, what is wrong, the button. */
export function FormEnd(props: { readonly form: FormState; readonly button: string }) {
  const { token, errors } = props.form;
  return (
    <>
      <div className="absolute left-[-9999px]" aria-hidden="true" data-trap>
        <label>
          Leave this empty
          <input type="text" name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <input type="hidden" name="token" value={token} />
      <p
        data-error="form"
        role="alert"
        hidden={errors['form'] === undefined}
        className="rounded border-2 border-danger bg-danger-wash px-4 py-3"
      >
        {errors['form']}
      </p>
      <button type="submit" className="button button-primary justify-self-start">
        {props.button}
      </button>
    </>
  );
}

/** What a sent form is answered with. */
export function Thanks({ text }: { readonly text: string }) {
  return (
    <p role="status" className="border-l-3 border-positive bg-positive-wash px-5 py-4 text-lg">
      {text}
    </p>
  );
}
