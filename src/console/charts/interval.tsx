/** The 80 % interval of a figure on a scale from 0 to `max`; decorative next to the figures. */
export function Interval(props: {
  readonly low: number;
  readonly mean: number;
  readonly high: number;
  readonly max: number;
}) {
  const { low, mean, high, max } = props;
  const width = 84;
  const getX = (value: number) => Math.round((4 + (max <= 0 ? 0 : (value / max) * (width - 8))) * 10) / 10;
  return (
    <svg
      className="interval"
      viewBox={`0 0 ${width} 14`}
      width={width}
      height="14"
      aria-hidden="true"
      focusable="false"
    >
      <line className="interval-scale" x1="0" x2={width} y1="7" y2="7" />
      <line className="interval-range" x1={getX(low)} x2={getX(high)} y1="7" y2="7" />
      <circle className="interval-mean" cx={getX(mean)} cy="7" r="4" />
    </svg>
  );
}
