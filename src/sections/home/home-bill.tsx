import type { SiteDetails } from '../../core/pages/site.schema.ts';
import type { Bill, BillLine } from '../../core/savings/compute-savings.ts';
import type { CalculatorField } from '../../core/savings/plans.schema.ts';

type Copy = SiteDetails['home']['bill'];

const ROW_CLASSES = 'grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6';

/** The site's argument as a receipt: the price of each tool, the plan that replaces them, and the savings. */
export function HomeBill(props: {
  readonly bill: Bill;
  readonly copy: Copy;
  readonly fields: readonly CalculatorField[];
}) {
  const { bill, copy, fields } = props;
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
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 pt-4 font-semibold">
            <dt>{copy.savingsLabel}</dt>
            <dd className="font-display normal-nums text-[clamp(2.6rem,2rem+2.4vw,3.6rem)] leading-none ml-auto font-[680] tracking-[-0.035em] text-positive">
              {bill.rest}
            </dd>
          </div>
        </dl>
        <p className="text-right text-muted">{`${bill.year} ${copy.yearLabel}`}</p>
        <p className="mt-4 text-[0.8125rem] leading-[1.45] text-muted">
          {copy.note} <a href={copy.link.href}>{copy.link.label}</a>
        </p>
        {copy.calculator && fields.length > 0 && <OwnFigures calculator={copy.calculator} fields={fields} />}
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

/** The fields of a calculator. They lead to its page, which shows the result, so they need no script. */
function OwnFigures(props: {
  readonly calculator: NonNullable<Copy['calculator']>;
  readonly fields: readonly CalculatorField[];
}) {
  const { calculator, fields } = props;
  return (
    <form
      action={`${calculator.page}#${calculator.section}`}
      className="mt-4 border-t border-line pt-2 text-[1rem]"
    >
      {fields.map(({ name, label, kind, unit, default: value, min, max }) => (
        <label key={name} className={`${ROW_CLASSES} py-1`}>
          <span>
            {label}
            {kind === 'amount' && <span className="block text-[0.8125rem] text-muted">{unit}</span>}
          </span>
          <input
            type="number"
            name={name}
            defaultValue={value ?? undefined}
            min={min}
            max={max ?? undefined}
            inputMode={kind === 'count' ? 'numeric' : 'decimal'}
            className="field tabular w-24 text-right font-semibold"
          />
        </label>
      ))}
      <button type="submit" className="button button-quiet mt-3 w-full">
        {calculator.button}
      </button>
    </form>
  );
}
