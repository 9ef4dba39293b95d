/** A signpost with an arm for each kind of business, drawn; the page's text has the same words. */
export function AssessmentSigns({ signs }: { readonly signs: readonly string[] }) {
  const height = 96 + signs.length * 78;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 420 ${height}`}
      className="mx-auto h-auto w-full max-w-[26rem]"
      fill="none"
      strokeWidth="2.5"
      strokeLinejoin="round"
    >
      <path
        className="stroke-line-strong"
        d={`M210 14V${height - 12}`}
        strokeWidth="7"
        strokeLinecap="round"
      />
      <path className="stroke-line" d={`M70 ${height - 10}H350`} strokeLinecap="round" />
      {signs.map((sign, index) => (
        <Arm key={sign} text={sign} index={index} />
      ))}
    </svg>
  );
}

function Arm({ text, index }: { readonly text: string; readonly index: number }) {
  const top = 44 + index * 78;
  const isRight = index % 2 === 0;
  const shape = isRight
    ? `M150 ${top}H352L392 ${top + 29}L352 ${top + 58}H150Z`
    : `M270 ${top}H68L28 ${top + 29}L68 ${top + 58}H270Z`;
  return (
    <g>
      <path d={shape} className="fill-raised stroke-line-strong" />
      <text
        x={isRight ? 172 : 248}
        y={top + 37}
        textAnchor={isRight ? 'start' : 'end'}
        fontSize="22"
        className="fill-ink font-display font-semibold"
      >
        {text}
      </text>
    </g>
  );
}
