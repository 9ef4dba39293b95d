import { useId } from 'react';
import type { ChartLayout, ChartShape, ChartVariant } from './chart-shapes.ts';

const VARIANT_CLASSES: Readonly<Record<ChartVariant, string>> = {
  'chart-approved': 'chart-approved',
  'chart-pending': 'chart-pending',
  'chart-reversed': 'chart-reversed',
  'chart-strike': 'chart-strike',
  'chart-young': 'chart-young',
  'chart-clicks': 'chart-clicks',
  'chart-grid': 'chart-grid',
  'chart-axis': 'chart-axis',
  'chart-band': 'chart-band',
  'chart-mean': 'chart-mean',
  'chart-point': 'chart-point',
  'chart-flag': 'chart-flag',
  'chart-dot': 'chart-dot',
  'chart-tick': 'chart-tick',
  'chart-note': 'chart-note',
  'chart-number': 'chart-number',
};

/** Variants that are hatched: pending money, and the background of immature clicks. */
const PATTERNS: readonly ChartVariant[] = ['chart-pending', 'chart-young'];

/** A chart drawn from its layout. Columns read out on hover; the table behind the chart has the same figures. */
export function ChartDrawing(props: {
  readonly layout: ChartLayout;
  readonly label: string;
  readonly className: string;
}) {
  const { layout, label, className } = props;
  const { width, height, shapes, columns, top, columnHeight } = layout;
  const hatch = useId();
  return (
    <svg className={className} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <defs>
        {PATTERNS.map((variant) => (
          <pattern
            key={variant}
            id={`${hatch}-${variant}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect
              className={variant === 'chart-young' ? 'young-background' : 'hatch-background'}
              width="6"
              height="6"
            />
            <path className={variant === 'chart-young' ? 'young-line' : 'hatch-line'} d="M0 0V6" />
          </pattern>
        ))}
      </defs>
      {shapes.map((shape, index) => (
        // The order of the shapes of a layout is what identifies them.
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes have no identity and never move
        <Shape key={index} shape={shape} hatch={hatch} />
      ))}
      {columns.map(({ x, width: columnWidth, text }) => (
        <rect key={x} className="chart-column" x={x} y={top} width={columnWidth} height={columnHeight}>
          <title>{text}</title>
        </rect>
      ))}
    </svg>
  );
}

function Shape({ shape, hatch }: { readonly shape: ChartShape; readonly hatch: string }) {
  switch (shape.kind) {
    case 'rect': {
      const fill = PATTERNS.includes(shape.variant) ? `url(#${hatch}-${shape.variant})` : undefined;
      const { x, y, width, height } = shape;
      return (
        <rect
          className={VARIANT_CLASSES[shape.variant]}
          x={x}
          y={y}
          width={width}
          height={height}
          fill={fill}
        />
      );
    }
    case 'line':
      return (
        <line
          className={VARIANT_CLASSES[shape.variant]}
          x1={shape.x1}
          y1={shape.y1}
          x2={shape.x2}
          y2={shape.y2}
        />
      );
    case 'circle':
      return <circle className={VARIANT_CLASSES[shape.variant]} cx={shape.x} cy={shape.y} r={shape.radius} />;
    case 'path':
      return <path className={VARIANT_CLASSES[shape.variant]} d={shape.d} />;
    case 'text':
      return (
        <text className={VARIANT_CLASSES[shape.variant]} x={shape.x} y={shape.y} textAnchor={shape.anchor}>
          {shape.text}
        </text>
      );
  }
}
