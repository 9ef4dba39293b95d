import { Paragraph } from './inline-text.tsx';
import type { HeroFigureProps } from './section-props.ts';

/** A bill torn off a roll: lines, the sum, and what is left over. */
export function HeroReceipt({ figure, cta }: HeroFigureProps<'receipt'>) {
  return (
    <div className="receipt-shadow">
      <div className="receipt px-[1.6rem] pt-[1.6rem] pb-8">
        <p className="tabular flex justify-between border-b-2 border-line-strong pb-3 text-xs text-muted">
          <span>{figure.caption}</span>
          <span>{figure.unit}</span>
        </p>
        <dl>
          {figure.rows.map(({ label, amount }) => (
            <div key={label} className="flex justify-between gap-6 border-b border-line py-2">
              <dt>{label}</dt>
              <dd className="tabular">{amount}</dd>
            </div>
          ))}
        </dl>
        <Paragraph text={figure.comparison} cta={cta} className="tabular pt-3.5" />
        <p className="mt-3 border-t-2 border-line-strong pt-3 font-semibold">{figure.total.label}</p>
        <p className="tabular mt-1 text-right font-display text-5xl font-[680] tracking-[-0.03em] text-positive">
          {figure.total.amount}
        </p>
      </div>
    </div>
  );
}
