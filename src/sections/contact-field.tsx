import { cloneElement, type ReactElement } from 'react';

interface ControlProps {
  readonly id?: string;
  readonly name?: string;
  readonly className?: string;
  readonly 'aria-invalid'?: boolean | undefined;
  readonly 'aria-describedby'?: string;
}

/** One field of the contact form with its label, hint and, when there is one, what is wrong with it. */
export function ContactField(props: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** The control; it gets its name, its look and its description. */
  readonly children: ReactElement<ControlProps>;
}) {
  const { name, label, hint, error, children } = props;
  const id = `contact-${name}`;
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
      <p id={`${id}-error`} data-error={name} hidden={error === undefined} className="text-sm text-danger">
        {error}
      </p>
    </div>
  );
}
