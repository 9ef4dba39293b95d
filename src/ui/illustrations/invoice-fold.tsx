import { Canvas, Check, type IllustrationProps, Sheet, TextBar } from '../drawing.tsx';

/** Widths of the folded bills from the open end to the closed one. */
const PANELS = [84, 72, 60, 48, 36, 25] as const;
const RISE = 30;
const TOP = 74;
const TALL = 300;

/** One bill of the strip, slanted by its fold; `x` is its left edge. */
function Panel({ x, width, index }: { readonly x: number; readonly width: number; readonly index: number }) {
  const isFalling = index % 2 === 0;
  const slope = (isFalling ? RISE : -RISE) / width;
  const y = isFalling ? TOP : TOP + RISE;
  const inner = width - 24;
  return (
    <g transform={`matrix(1 ${slope.toFixed(4)} 0 1 ${x} ${y})`}>
      <rect
        className={isFalling ? 'fill-raised stroke-line-strong' : 'fill-sunken stroke-line-strong'}
        strokeWidth={2}
        width={width}
        height={TALL}
      />
      <rect
        className={isFalling ? 'fill-accent' : 'fill-accent/60'}
        x={12}
        y={24}
        width={Math.min(26, inner)}
        height={26}
        rx={3}
      />
      {[84, 114, 144, 174, 204].map((row) => (
        <path key={row} className="stroke-line" strokeWidth={2} d={`M12 ${row}h${inner}`} />
      ))}
      <path className="stroke-ink" strokeWidth={3} d={`M12 244h${inner}`} />
      <rect
        className="fill-ink"
        x={12}
        y={258}
        width={inner * (index % 3 === 1 ? 0.8 : 0.6)}
        height={12}
        rx={2}
      />
    </g>
  );
}

/** Six bills on one strip that folds together into a single one. */
export function InvoiceFold(props: IllustrationProps) {
  const lefts = PANELS.map(
    (_, index) => 24 + PANELS.slice(0, index).reduce<number>((sum, width) => sum + width, 0),
  );
  return (
    <Canvas width={560} height={440} {...props}>
      <path className="fill-line" d="M24 404h512l-26 18H50z" />
      {PANELS.map((width, index) => (
        <Panel key={width} x={lefts[index] ?? 0} width={width} index={index} />
      ))}
      <Sheet x={349} y={40} width={180} height={364}>
        <TextBar x={22} y={34} length={70} strong height={9} />
        <TextBar x={22} y={54} length={44} />
        <path className="stroke-line-strong" strokeWidth={2.5} d="M22 78H158" />
        {[62, 48, 70, 40, 56, 52].map((name, index) => (
          <g key={name}>
            <TextBar x={22} y={104 + index * 28} length={name} />
            <Check x={138} y={93 + index * 28} scale={0.86} className="stroke-positive" />
          </g>
        ))}
        <path className="stroke-ink" strokeWidth={3} d="M22 268H158" />
        <rect className="fill-marker" x={16} y={300} width={148} height={36} />
        <TextBar x={22} y={288} length={46} strong height={8} />
        <rect className="fill-positive" x={22} y={308} width={96} height={20} rx={3} />
      </Sheet>
    </Canvas>
  );
}
