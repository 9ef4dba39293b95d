import type { ReactNode } from 'react';

export interface IllustrationProps {
  readonly className?: string;
}

/** The frame of every illustration: decorative, as wide as its place, in the page's colors, light and dark. */
export function Canvas(
  props: IllustrationProps & {
    readonly width: number;
    readonly height: number;
    readonly children: ReactNode;
  },
) {
  const { width, height, className, children } = props;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={`h-auto w-full ${className ?? ''}`}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
    >
      {children}
    </svg>
  );
}
