import type { HeroFigureOf } from '../core/content/sections/hero.schema.ts';
import { InlineText } from './inline-text.tsx';

/** A bill torn off a roll: lines, the sum, and what is left over. */
export function HeroReceipt({ figure }: { readonly figure: HeroFigureOf<'receipt'> }) {
  return (
    <div className="receipt-shadow">
      <div className="receipt">
        <p className="n flex justify-between border-b-2 border-line-strong pb-3 text-xs text-muted">
          <span>{figure.caption}</span>
          <span>{figure.unit}</span>
        </p>
        <dl>
          {figure.rows.map(({ label, amount }) => (
            <div key={label} className="flex justify-between gap-6 border-b border-line py-2">
              <dt>{label}</dt>
              <dd className="n">{amount}</dd>
            </div>
          ))}
        </dl>
        {figure.against !== undefined && (
          <p className="n pt-3.5">
            <InlineText text={figure.against} />
          </p>
        )}
        <p className="mt-3 border-t-2 border-line-strong pt-3 font-semibold">{figure.total.label}</p>
        <p className="total mt-1 text-right text-5xl">{figure.total.amount}</p>
      </div>
    </div>
  );
}
