import type { ReactNode } from 'react';

/** A titled part of a view. */
export function Block(props: {
  readonly title: string;
  /** One sentence next to the title. */
  readonly note?: ReactNode;
  /** Links at the end of the title's line. */
  readonly links?: ReactNode;
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { title, note, links, id, className, children } = props;
  return (
    <section className={className === undefined ? 'block' : `block ${className}`} id={id}>
      <header className="block-head">
        <h2>{title}</h2>
        {note !== undefined && <p>{note}</p>}
        {links !== undefined && <div className="block-links">{links}</div>}
      </header>
      {children}
    </section>
  );
}
