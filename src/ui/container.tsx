import type { ReactNode } from 'react';

const WIDTHS = { page: 'max-w-page', wide: 'max-w-wide', text: 'max-w-text' } as const;

/** The page's column: centred, with the side margins that every section shares. */
export function Container(props: {
  readonly width?: keyof typeof WIDTHS;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={`mx-auto w-full px-5 sm:px-8 ${WIDTHS[props.width ?? 'page']} ${props.className ?? ''}`}>
      {props.children}
    </div>
  );
}
