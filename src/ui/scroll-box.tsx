import type { ReactNode } from 'react';

/** Safari gives the keyboard no other way to scroll a box without links in it. */
const REACHABLE = { tabIndex: 0 } as const;

/** A box that scrolls what is too wide for the page. */
export function ScrollBox(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section {...REACHABLE} aria-label={props.label} className="overflow-x-auto">
      {props.children}
    </section>
  );
}
