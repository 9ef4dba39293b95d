import type { Site } from '../core/content/site.schema.ts';
import type { Bill, BillLine } from '../core/savings/bill.ts';

/** The site's argument as a till receipt: many bills, one plan, and what is left. */
export function HomeBill({ bill, words }: { readonly bill: Bill; readonly words: Site['home']['bill'] }) {
  return (
    <div className="bill">
      <div className="bill-paper n">
        <p className="bill-head">
          <span>{words.title}</span>
          <span>{words.unit}</span>
        </p>
        <dl>
          {bill.lines.map((line) => (
            <Line key={line.name} line={line} />
          ))}
          <div className="bill-sum">
            <dt>{words.stack}</dt>
            <dd>{bill.stack}</dd>
          </div>
          <div className="bill-plan">
            <dt>{words.single}</dt>
            <dd>{`− ${bill.plan}`}</dd>
          </div>
          <div className="bill-rest">
            <dt>{words.rest}</dt>
            <dd>{bill.rest}</dd>
          </div>
        </dl>
        <p className="bill-year">{`${bill.year} ${words.year}`}</p>
        <p className="bill-note">
          {words.note} <a href={words.link.href}>{words.link.label}</a>
        </p>
      </div>
    </div>
  );
}

/** The line under an amount is as long as the amount is large. */
function Line({ line }: { readonly line: BillLine }) {
  return (
    <div className="bill-line">
      <dt>{line.name}</dt>
      <dd>{line.amount}</dd>
      <svg width="100%" height="2" aria-hidden="true">
        <rect width={`${line.share}%`} height="2" />
      </svg>
    </div>
  );
}
