import type { Site } from '../../core/pages/site.schema.ts';
import type { Bill, BillLine } from '../../core/savings/bill.ts';

const ROW_CLASSES = 'grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6';

/** The site's argument as a receipt: the price of each tool, the plan that replaces them, and the savings. */
export function HomeBill({ bill, copy }: { readonly bill: Bill; readonly copy: Site['home']['bill'] }) {
  return (
    <div className="bill receipt-shadow w-[min(100%,28rem)] self-center justify-self-center">
      <div className="receipt tabular px-[clamp(1.25rem,4vw,2rem)] pt-7 pb-10">
        <p className={`${ROW_CLASSES} border-b-2 border-line-strong pb-3 text-[0.8125rem] text-muted`}>
          <span>{copy.title}</span>
          <span>{copy.unit}</span>
        </p>
        <dl className="text-[1rem] leading-[1.35]">
          {bill.lines.map((line) => (
            <Line key={line.name} line={line} />
          ))}
          <div className={`${ROW_CLASSES} pt-[0.9rem]`}>
            <dt>{copy.stackLabel}</dt>
            <dd className="text-muted line-through">{bill.stack}</dd>
          </div>
          <div className={`${ROW_CLASSES} border-b-2 border-line-strong pt-[0.3rem] pb-[0.9rem]`}>
            <dt>{copy.planLabel}</dt>
            <dd>{`− ${bill.plan}`}</dd>
          </div>
          <div className={`${ROW_CLASSES} pt-4 font-semibold`}>
            <dt>{copy.savingsLabel}</dt>
            <dd className="font-display normal-nums text-[clamp(2.6rem,2rem+2.4vw,3.6rem)] leading-none font-[680] tracking-[-0.035em] text-positive">
              {bill.rest}
            </dd>
          </div>
        </dl>
        <p className="text-right text-muted">{`${bill.year} ${copy.yearLabel}`}</p>
        <p className="mt-4 text-[0.8125rem] leading-[1.45] text-muted">
          {copy.note} <a href={copy.link.href}>{copy.link.label}</a>
        </p>
      </div>
    </div>
  );
}

function Line({ line }: { readonly line: BillLine }) {
  return (
    <div className={`${ROW_CLASSES} border-b border-line py-2`}>
      <dt>{line.name}</dt>
      <dd>{line.amount}</dd>
    </div>
  );
}
