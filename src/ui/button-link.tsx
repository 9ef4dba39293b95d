import type { ReactNode } from 'react';

/** A link that looks like a button; for links to partners use `PartnerLink`. */
export function ButtonLink(props: {
  readonly href: string;
  readonly look?: 'primary' | 'quiet';
  readonly children: ReactNode;
}) {
  return (
    <a className={`button button-${props.look ?? 'primary'}`} href={props.href}>
      {props.children}
    </a>
  );
}
