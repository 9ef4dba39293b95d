import type { ReactNode } from 'react';

/**
 * Links behind a button, as a popover: it needs no script, Escape closes it. Browsers that know no popover get a `<details>`
 * for the same links. `button`: what the button shows; `className`: its classes.
 */
export function NavMenu(props: {
  readonly id: string;
  readonly label: string;
  readonly button: ReactNode;
  readonly className: string;
  /** The links. */
  readonly children: ReactNode;
}) {
  const { id, label, button, className } = props;
  return (
    <>
      <button type="button" popoverTarget={id} className={`nav-link gap-2 ${className}`}>
        {button}
      </button>
      <details className={`nav-toggle ${className}`}>
        <summary className="nav-link gap-2">{button}</summary>
      </details>
      <nav id={id} popover="auto" aria-label={label} className="nav-popover" data-menu>
        {props.children}
      </nav>
    </>
  );
}
