import { useId } from 'react';
import type { ChartLayout, ChartLook, ChartShape } from '../../core/console/chart-shapes.ts';

const LOOK_CLASSES: Readonly<Record<ChartLook, string>> = {
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

/** Looks that are hatched: pending money, and the ground of young clicks. */
const PATTERNS: readonly ChartLook[] = ['chart-pending', 'chart-young'];

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
        {PATTERNS.map((look) => (
          <pattern
            key={look}
            id={`${hatch}-${look}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect className={look === 'chart-young' ? 'young-ground' : 'hatch-ground'} width="6" height="6" />
            <path className={look === 'chart-young' ? 'young-line' : 'hatch-line'} d="M0 0V6" />
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
      const fill = PATTERNS.includes(shape.look) ? `url(#${hatch}-${shape.look})` : undefined;
      const { x, y, width, height } = shape;
      return (
        <rect className={LOOK_CLASSES[shape.look]} x={x} y={y} width={width} height={height} fill={fill} />
      );
    }
    case 'line':
      return (
        <line className={LOOK_CLASSES[shape.look]} x1={shape.x1} y1={shape.y1} x2={shape.x2} y2={shape.y2} />
      );
    case 'circle':
      return <circle className={LOOK_CLASSES[shape.look]} cx={shape.x} cy={shape.y} r={shape.radius} />;
    case 'path':
      return <path className={LOOK_CLASSES[shape.look]} d={shape.d} />;
    case 'text':
      return (
        <text className={LOOK_CLASSES[shape.look]} x={shape.x} y={shape.y} textAnchor={shape.anchor}>
          {shape.text}
        </text>
      );
  }
}
