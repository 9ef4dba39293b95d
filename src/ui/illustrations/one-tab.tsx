import { BillRow, Canvas, Check, type IllustrationProps, TextBar } from '../drawing.tsx';

const TABS = ['fill-accent', 'fill-ink', 'fill-muted', 'fill-warning'] as const;

/** The frame of a browser window; tabs are above `bar`. */
function Window(props: { readonly width: number; readonly height: number; readonly tabs: number }) {
  const { width, height, tabs } = props;
  const step = (width - 24) / Math.max(tabs, 2.4);
  return (
    <>
      <rect className="fill-line" x={9} y={9} width={width} height={height} rx={8} />
      <rect className="fill-sunken stroke-line-strong" strokeWidth={2} width={width} height={height} rx={8} />
      <path
        className="fill-raised"
        d={`M1 38H${width - 1}V${height - 8}a7 7 0 0 1 -7 7H8a7 7 0 0 1 -7 -7z`}
      />
      {[...'abcdefghijkl'].slice(0, tabs).map((name, tab) => (
        <g key={name} transform={`translate(${12 + tab * step} 10)`}>
          <path
            className="fill-raised stroke-line-strong"
            strokeWidth={1.5}
            d={`M0 28V6a6 6 0 0 1 6 -6H${step - 6}a6 6 0 0 1 6 6V28`}
          />
          <rect className={TABS[tab % TABS.length]} x={6} y={9} width={9} height={9} rx={2} />
        </g>
      ))}
      <path className="stroke-line-strong" strokeWidth={2} d={`M1 38H${width - 1}`} />
    </>
  );
}

/** Twelve tabs in a crowded window, then one in a quiet one. */
export function OneTab(props: IllustrationProps) {
  return (
    <Canvas width={560} height={440} {...props}>
      <g transform="translate(22 26) rotate(-3 160 110)">
        <Window width={330} height={226} tabs={12} />
        <g transform="translate(18 54)">
          <rect className="fill-accent/25" width={92} height={62} rx={4} />
          <rect className="fill-warning/30" x={74} y={38} width={104} height={70} rx={4} />
          <rect className="fill-ink/15" x={158} y={8} width={132} height={54} rx={4} />
          <rect className="fill-muted/30" x={6} y={88} width={88} height={66} rx={4} />
          <rect className="fill-accent/45" x={198} y={52} width={88} height={100} rx={4} />
          <rect className="fill-danger/70" x={122} y={122} width={58} height={30} rx={4} />
          <TextBar x={14} y={20} length={54} strong />
          <TextBar x={172} y={28} length={70} strong />
          <TextBar x={20} y={112} length={40} strong />
        </g>
      </g>
      <path
        className="stroke-ink"
        fill="none"
        strokeWidth={5}
        d="M96 300c-6 62 24 92 78 94m-18 -17l19 17l-18 17"
      />
      <g transform="translate(212 178)">
        <Window width={318} height={232} tabs={1} />
        <g transform="translate(28 62)">
          <TextBar x={0} y={8} length={96} strong height={10} />
          {[84, 64, 104].map((name, row) => (
            <BillRow
              key={name}
              y={42 + row * 30}
              left={0}
              right={262}
              name={name}
              amount={[74, 48, 60][row] ?? 40}
            />
          ))}
          <path className="stroke-ink" strokeWidth={3} d="M0 124H262" />
          <rect className="fill-marker" x={122} y={132} width={146} height={28} />
          <rect className="fill-positive" x={130} y={138} width={132} height={16} rx={3} />
          <Check x={-2} y={132} className="stroke-positive" />
        </g>
      </g>
    </Canvas>
  );
}
