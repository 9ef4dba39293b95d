import type { ReactNode } from 'react';

const WIDTHS = { page: 'max-w-page', wide: 'max-w-wide', text: 'max-w-text' } as const;

/** Classes of the page's column: centred, with the side margins that every section shares. */
export function containerClass(width: keyof typeof WIDTHS = 'page', more = ''): string {
  return `mx-auto w-full px-5 sm:px-8 ${WIDTHS[width]} ${more}`.trim();
}

/** The page's column. */
export function Container(props: {
  readonly width?: keyof typeof WIDTHS;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return <div className={containerClass(props.width, props.className)}>{props.children}</div>;
}
