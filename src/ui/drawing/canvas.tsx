import type { ReactNode } from 'react';

export interface IllustrationProps {
  /** What is drawn, when the words beside it do not say it; decorative without. */
  readonly label?: string;
  readonly className?: string;
}

/** The frame of every illustration: as wide as its place, in the page's colors, light and dark. */
export function Canvas(
  props: IllustrationProps & {
    readonly width: number;
    readonly height: number;
    readonly children: ReactNode;
  },
) {
  const { width, height, label, className, children } = props;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={`h-auto w-full ${className ?? ''}`}
      strokeLinecap="round"
      strokeLinejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      focusable="false"
    >
      {children}
    </svg>
  );
}
