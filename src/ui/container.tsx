import type { ReactNode } from 'react';

/** Classes of the page's column: centered, with the side margins of all sections. */
export function containerClass(className = ''): string {
  return `mx-auto w-full px-5 sm:px-8 max-w-page ${className}`.trim();
}

/** The page's column. */
export function Container(props: { readonly className?: string; readonly children: ReactNode }) {
  return <div className={containerClass(props.className)}>{props.children}</div>;
}
