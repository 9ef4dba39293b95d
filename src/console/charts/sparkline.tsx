/** The course of a figure in the height of a line; decorative next to the figure itself. Null without two values. */
export function Sparkline(props: { readonly values: readonly number[]; readonly width?: number }) {
  const { values, width = 88 } = props;
  if (values.length < 2) return null;
  const height = 22;
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 0)];
  const span = high - low || 1;
  const points = values.map((value, index) => {
    const x = 1 + (index / (values.length - 1)) * (width - 5);
    const y = 2 + (1 - (value - low) / span) * (height - 5);
    return [Math.round(x * 10) / 10, Math.round(y * 10) / 10] as const;
  });
  const [lastX = 0, lastY = 0] = points.at(-1) ?? [];
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
      focusable="false"
    >
      <polyline points={points.map((point) => point.join()).join(' ')} />
      <circle cx={lastX} cy={lastY} r="2" />
    </svg>
  );
}
