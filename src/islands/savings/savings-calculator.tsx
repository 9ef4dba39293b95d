import { computeSavings } from '../../core/savings/compute-savings.ts';
import { CalculatorFieldView } from './calculator-field.tsx';
import type { CalculatorProps } from './calculator-props.ts';
import { LinkTools } from './link-tools.tsx';
import { SavingsResult } from './savings-result.tsx';
import { StickyTotal } from './sticky-total.tsx';
import { useCalculator } from './use-calculator.ts';
import { useLiveAnnouncement } from './use-live-announcement.ts';

/** A savings calculator that updates while you type and keeps its inputs in the address. Without scripts a GET form. */
export function SavingsCalculator(props: CalculatorProps) {
  const { calculator } = props;
  const { copy, fields } = calculator;
  const { form, texts, linked, type, showOwn, address } = useCalculator(props);
  const savings = computeSavings(calculator, texts);
  const announcement = useLiveAnnouncement(savings, copy);
  return (
    <form
      ref={form}
      method="get"
      action={props.address}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      className="grid overflow-clip rounded-lg border border-line bg-raised text-ink md:grid-cols-2"
    >
      <div className="flex flex-col p-5 sm:p-9">
        <h3 className="text-xl">{copy.title}</h3>
        <div className="mt-3">
          {fields.map((field) => (
            <CalculatorFieldView
              key={field.name}
              field={field}
              text={texts[field.name] ?? ''}
              message={copy.invalid}
              onType={(text) => type(field.name, text)}
            />
          ))}
        </div>
        <button type="submit" className="button button-quiet mt-6 hidden self-start noscript:inline-flex">
          {copy.submit}
        </button>
        <p className="mt-5 text-sm text-muted">{copy.compared}</p>
        <LinkTools
          copy={copy}
          address={address}
          onOwn={linked ? showOwn : null}
          isEmpty={savings.currentCents === 0}
        />
        <StickyTotal copy={copy} savings={savings} />
      </div>
      <SavingsResult calculator={calculator} savings={savings} link={props.link} />
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </form>
  );
}
