import { Canvas, type IllustrationProps } from '../drawing.tsx';

const DAYS = Array.from({ length: 14 }, (_, index) => index + 1);
const LEFT = 34;
const STEP = 35.2;
const TOP = 190;

const middle = (day: number) => LEFT + STEP * (day - 0.5);

/** A note above the ruler, on a line down to its day; `lift` is its height. */
function Note(props: {
  readonly day: number;
  readonly lift: number;
  readonly wide: number;
  readonly last?: boolean;
}) {
  const { day, lift, wide, last = false } = props;
  const x = middle(day);
  const top = TOP - lift;
  const left = last ? x - wide + 14 : x - 14;
  return (
    <>
      <path className="stroke-ink" strokeWidth={3} d={`M${x} ${top + 30}V${TOP - 2}`} />
      <rect className="fill-line" x={left + 6} y={top + 6} width={wide} height={38} rx={4} />
      <rect
        className={last ? 'fill-positive' : 'fill-raised stroke-line-strong'}
        strokeWidth={1.5}
        x={left}
        y={top}
        width={wide}
        height={38}
        rx={4}
      />
      <rect
        className={last ? 'fill-surface' : 'fill-accent'}
        x={left + 11}
        y={top + 11}
        width={16}
        height={16}
        rx={3}
      />
      <rect
        className={last ? 'fill-surface/70' : 'fill-muted/35'}
        x={left + 36}
        y={top + 15.5}
        width={wide - 50}
        height={7}
        rx={3.5}
      />
    </>
  );
}

/** A ruler of fourteen days with a note at each turn of the work. */
export function TwoWeeks(props: IllustrationProps) {
  return (
    <Canvas width={560} height={330} {...props}>
      <Note day={1} lift={70} wide={74} />
      <Note day={3} lift={132} wide={126} />
      <Note day={7} lift={70} wide={74} />
      <Note day={9} lift={132} wide={112} />
      <Note day={14} lift={70} wide={132} last />
      <rect className="fill-line" x={LEFT - 8} y={TOP + 10} width={STEP * 14 + 18} height={86} rx={6} />
      <rect
        className="fill-raised stroke-line-strong"
        strokeWidth={2}
        x={LEFT - 9}
        y={TOP}
        width={STEP * 14 + 18}
        height={86}
        rx={6}
      />
      <rect className="fill-marker" x={LEFT + STEP * 13} y={TOP + 1} width={STEP} height={84} />
      {DAYS.map((day) => (
        <g key={day}>
          <path
            className="stroke-ink"
            strokeWidth={day % 7 === 1 ? 3 : 2}
            d={`M${LEFT + STEP * (day - 1)} ${TOP + 1}v${day % 7 === 1 ? 34 : 22}`}
          />
          <path className="stroke-line-strong" strokeWidth={1.5} d={`M${middle(day)} ${TOP + 1}v11`} />
          <text
            className="tabular fill-ink font-display text-[17px] font-semibold"
            x={middle(day)}
            y={TOP + 64}
            textAnchor="middle"
          >
            {day}
          </text>
        </g>
      ))}
      <path className="stroke-ink" strokeWidth={3} d={`M${LEFT + STEP * 14} ${TOP + 1}v34`} />
      <path
        className="stroke-accent"
        fill="none"
        strokeWidth={4}
        d={`M${LEFT + 4} ${TOP + 112}v12H${LEFT + STEP * 7 - 4}v-12`}
      />
      <path
        className="stroke-positive"
        fill="none"
        strokeWidth={4}
        d={`M${LEFT + STEP * 7 + 4} ${TOP + 112}v12H${LEFT + STEP * 14 - 4}v-12`}
      />
    </Canvas>
  );
}
