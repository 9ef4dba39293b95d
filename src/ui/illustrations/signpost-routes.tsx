import { Canvas, type IllustrationProps } from '../drawing.tsx';

interface Board {
  readonly y: number;
  readonly length: number;
  /** 1 points to the right, -1 to the left. */
  readonly side: 1 | -1;
  readonly className: string;
}

const BOARDS: readonly Board[] = [
  { y: 52, length: 190, side: 1, className: 'fill-accent' },
  { y: 112, length: 160, side: -1, className: 'fill-ink' },
  { y: 172, length: 128, side: 1, className: 'fill-positive' },
];

const POST = 258;

/** A board nailed to the post, with the word on it. */
function SignBoard({ y, length, side, className }: Board) {
  const tip = 26;
  const outline = (dx: number, dy: number) =>
    `M${POST - side * 36 + dx} ${y + dy}H${POST + side * (length - tip) + dx}l${side * tip} 23l${-side * tip} 23H${POST - side * 36 + dx}z`;
  return (
    <>
      <path className="fill-line" d={outline(8, 8)} />
      <path className={className} d={outline(0, 0)} />
      <circle className="fill-surface" cx={POST} cy={y + 23} r={4} />
      <path
        className="stroke-surface"
        strokeWidth={6}
        d={`M${POST + side * 30} ${y + 23}h${side * length * 0.42}`}
      />
    </>
  );
}

/** A signpost from which three ways lead, each to a place of its own. */
export function SignpostRoutes(props: IllustrationProps) {
  return (
    <Canvas width={560} height={440} {...props}>
      <circle className="fill-marker" cx={424} cy={176} r={58} />
      <path
        className="fill-sunken"
        d="M6 348C24 282 190 290 330 284S548 240 556 306S500 434 270 436S-12 414 6 348z"
      />
      <path
        className="fill-line/50"
        d="M12 384C150 344 350 380 548 338C530 398 420 434 270 436S36 424 12 384z"
      />
      <g fill="none" strokeWidth={18} className="stroke-surface">
        <path d="M258 416C330 380 470 396 540 300" />
        <path d="M258 416C200 372 120 392 40 322" />
        <path d="M258 416C250 372 320 340 352 296" />
      </g>
      <g fill="none" strokeWidth={4} strokeDasharray="1 14">
        <path className="stroke-accent" d="M258 416C330 380 470 396 540 300" />
        <path className="stroke-ink" d="M258 416C200 372 120 392 40 322" />
        <path className="stroke-positive" d="M258 416C250 372 320 340 352 296" />
      </g>
      <circle className="fill-surface stroke-accent" strokeWidth={7} cx={540} cy={300} r={12} />
      <circle className="fill-surface stroke-ink" strokeWidth={7} cx={40} cy={322} r={12} />
      <circle className="fill-surface stroke-positive" strokeWidth={7} cx={352} cy={296} r={12} />
      <rect className="fill-ink" x={POST - 9} y={24} width={18} height={398} rx={4} />
      {BOARDS.map((board) => (
        <SignBoard key={board.y} {...board} />
      ))}
      <ellipse className="fill-ink/15" cx={POST} cy={422} rx={46} ry={8} />
    </Canvas>
  );
}
