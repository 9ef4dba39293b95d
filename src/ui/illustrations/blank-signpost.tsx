import { Canvas, type IllustrationProps } from '../drawing.tsx';

/** A signpost whose boards say nothing, and one that has fallen off. */
export function BlankSignpost(props: IllustrationProps) {
  return (
    <Canvas width={480} height={400} {...props}>
      <path
        className="fill-sunken"
        d="M4 352C14 296 150 312 270 302S466 284 476 336S400 396 236 396S-6 396 4 352z"
      />
      <path
        className="stroke-line-strong"
        fill="none"
        strokeWidth={4}
        strokeDasharray="1 15"
        d="M232 366C160 344 150 384 84 366S46 334 18 336"
      />
      <path
        className="stroke-line-strong"
        fill="none"
        strokeWidth={4}
        strokeDasharray="1 15"
        d="M232 366C300 350 330 386 384 356c40 -22 30 -40 64 -44"
      />
      <rect className="fill-ink" x={224} y={30} width={17} height={338} rx={4} />
      <g className="fill-raised stroke-ink" strokeWidth={4}>
        <path d="M196 56H352l28 25l-28 25H196z" />
        <path d="M268 128H128l-28 25l28 25H268z" transform="rotate(-7 232 153)" />
      </g>
      <g className="fill-ink">
        <circle cx={232} cy={81} r={4} />
        <circle cx={232} cy={153} r={4} />
        <circle cx={232} cy={216} r={4} />
      </g>
      <g transform="translate(300 318) rotate(16)">
        <path className="fill-line" d="M8 8H124l24 22l-24 22H8z" />
        <path className="fill-marker stroke-ink" strokeWidth={4} d="M0 0H116l24 22l-24 22H0z" />
        <circle className="fill-ink" cx={20} cy={22} r={4} />
      </g>
      <ellipse className="fill-ink/15" cx={232} cy={368} rx={42} ry={7} />
    </Canvas>
  );
}
