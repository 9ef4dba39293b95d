import { Canvas, Check, type IllustrationProps, Sheet, TextBar } from '../drawing.tsx';

/** Marks of five for each row; a drawing of a score card, not a score. */
const ROWS = [
  { name: 92, marks: 5 },
  { name: 74, marks: 4 },
  { name: 108, marks: 5 },
  { name: 66, marks: 3 },
  { name: 86, marks: 4 },
] as const;

/** A score card in rows of five marks, signed off. */
export function RatingLedger(props: IllustrationProps) {
  return (
    <Canvas width={520} height={440} {...props}>
      <g transform="rotate(2 260 220)">
        <Sheet x={58} y={22} width={390} height={380}>
          <rect className="fill-accent" x={30} y={30} width={40} height={40} rx={6} />
          <TextBar x={86} y={42} length={120} strong height={10} />
          <TextBar x={86} y={62} length={74} />
          <path className="stroke-line-strong" strokeWidth={3} d="M30 92H360" />
          {ROWS.map(({ name, marks }, row) => (
            <g key={name} transform={`translate(30 ${92 + row * 44})`}>
              <TextBar x={0} y={22} length={name} />
              {[0, 1, 2, 3, 4].map((mark) => (
                <rect
                  key={mark}
                  className={mark < marks ? 'fill-accent' : 'fill-line'}
                  x={170 + mark * 33}
                  y={11}
                  width={26}
                  height={22}
                  rx={3}
                />
              ))}
              <path className="stroke-line" strokeWidth={1.5} d="M0 44H330" />
            </g>
          ))}
          <path className="stroke-line-strong" strokeWidth={3} d="M30 326H360" />
          <TextBar x={30} y={352} length={64} strong height={9} />
        </Sheet>
        <circle className="fill-marker" cx={400} cy={348} r={66} />
        <circle
          className="stroke-ink"
          fill="none"
          strokeWidth={3}
          strokeDasharray="2 8"
          cx={400}
          cy={348}
          r={54}
        />
        <circle className="fill-positive" cx={400} cy={348} r={40} />
        <Check x={378} y={325} scale={1.8} className="stroke-surface" />
      </g>
    </Canvas>
  );
}
