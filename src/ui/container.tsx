import type { ReactNode } from 'react';

const WIDTH_CLASSES = { page: 'max-w-page', wide: 'max-w-wide' } as const;

/** `page`: the width of most sections. `wide`: narrower, for a single image. */
export type ContainerWidth = keyof typeof WIDTH_CLASSES;

/** Classes of the page's column: centered, with the side margins of all sections. */
export function containerClass(className = '', width: ContainerWidth = 'page'): string {
  return `mx-auto w-full px-5 sm:px-8 ${WIDTH_CLASSES[width]} ${className}`.trim();
}

/** The page's column. */
export function Container(props: {
  readonly width?: ContainerWidth | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return <div className={containerClass(props.className, props.width)}>{props.children}</div>;
}
