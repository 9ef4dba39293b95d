import type { ReactNode } from 'react';
import { Container } from './container.tsx';

const SPACES = { wide: 'py-16 sm:py-24', normal: 'py-12 sm:py-16', tight: 'py-8' } as const;
const GROUNDS = {
  surface: '',
  sunken: 'bg-sunken',
  positive: 'bg-positive-wash',
  ink: 'bg-ink text-surface',
} as const;

/** A band of the page with a heading; `id` makes it an anchor that clears the sticky header. */
export function Section(props: {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly lead?: string | undefined;
  readonly aside?: ReactNode;
  readonly ground?: keyof typeof GROUNDS | undefined;
  readonly space?: keyof typeof SPACES | undefined;
  readonly width?: 'page' | 'wide' | 'text' | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <section
      id={props.id}
      className={`${SPACES[props.space ?? 'normal']} ${GROUNDS[props.ground ?? 'surface']}`}
    >
      <Container width={props.width ?? 'page'}>
        {props.title !== undefined && (
          <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
            <div className="max-w-wide">
              <h2 className="text-3xl">{props.title}</h2>
              {props.lead !== undefined && <p className="mt-4 max-w-text text-lg text-muted">{props.lead}</p>}
            </div>
            {props.aside}
          </div>
        )}
        {props.children}
      </Container>
    </section>
  );
}
