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

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A sheet of paper with the edge of another under it. */
export function Sheet({ x, y, width, height, children }: Box & { readonly children?: ReactNode }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className="fill-line" x={9} y={9} width={width} height={height} rx={4} />
      <rect className="fill-raised stroke-line" strokeWidth={1.5} width={width} height={height} rx={4} />
      {children}
    </g>
  );
}

/** A word too small to read, as long as it needs to be. */
export function TextBar(props: {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly strong?: boolean;
  readonly height?: number;
}) {
  const { x, y, length, strong = false, height = 7 } = props;
  return (
    <rect
      className={strong ? 'fill-ink' : 'fill-muted/35'}
      x={x}
      y={y - height / 2}
      width={length}
      height={height}
      rx={height / 2}
    />
  );
}

/** A row of a bill: what it is for, what it costs, and the hairline under both. */
export function BillRow(props: {
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly name: number;
  readonly amount: number;
}) {
  const { y, left, right, name, amount } = props;
  return (
    <>
      <TextBar x={left} y={y} length={name} />
      <rect className="fill-accent" x={right - amount} y={y - 5} width={amount} height={10} rx={2} />
      <path className="stroke-line" strokeWidth={1.5} d={`M${left} ${y + 15}H${right}`} />
    </>
  );
}

/** A check mark in a box of 24. */
export function Check(props: {
  readonly x: number;
  readonly y: number;
  readonly className: string;
  readonly scale?: number;
}) {
  const { x, y, className, scale = 1 } = props;
  return (
    <path
      className={className}
      fill="none"
      strokeWidth={4}
      transform={`translate(${x} ${y}) scale(${scale})`}
      d="M4 13l6 6L20 6"
    />
  );
}
