import { type ClipboardEvent, useId, useState } from 'react';
import { normalizeText } from '../../core/savings/calculator-texts.ts';
import { parseAmount } from '../../core/savings/parse-amount.ts';
import type { CalculatorField as Field } from '../../core/savings/plans.schema.ts';

/** One number field with its label, unit and message. Pasted text is parsed by the rule for all figures. */
export function CalculatorFieldView(props: {
  readonly field: Field;
  readonly text: string;
  /** Shown beside the field for a negative or invalid number. */
  readonly message: string;
  readonly onType: (text: string) => void;
}) {
  const { field, text, onType } = props;
  const id = useId();
  const [hasBadInput, setHasBadInput] = useState(false);
  const isInvalid = hasBadInput || Number(text) < 0;
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (/^\s*\d+\s*$/.test(pasted)) return;
    event.preventDefault();
    const amount = parseAmount(pasted);
    setHasBadInput(amount === null || /^\s*[-\u2212]/.test(pasted));
    if (amount !== null) onType(normalizeText(pasted));
  };
  return (
    <div className="border-b border-line py-3.5">
      <label htmlFor={id} className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1">
        <span>
          {field.label}
          {field.kind === 'amount' && <span className="block text-sm text-muted">{field.unit}</span>}
        </span>
        <input
          id={id}
          type="number"
          inputMode={field.kind === 'count' ? 'numeric' : 'decimal'}
          name={field.name}
          value={text}
          min={field.min}
          max={field.max ?? undefined}
          step={field.kind === 'count' ? 1 : 'any'}
          placeholder={field.placeholder === null ? undefined : String(field.placeholder)}
          onChange={(event) => onType(event.target.value)}
          // React raises no change event while the value stays empty, as it does for `--`.
          onInput={(event) => setHasBadInput(event.currentTarget.validity.badInput)}
          onPaste={paste}
          aria-invalid={isInvalid || undefined}
          aria-describedby={`${id}-message`}
          className="field tabular w-28 scroll-mb-20 text-right text-lg font-semibold placeholder:font-normal"
        />
      </label>
      <p id={`${id}-message`} role="status" className="mt-1 text-sm text-danger empty:hidden">
        {isInvalid && props.message}
      </p>
    </div>
  );
}
