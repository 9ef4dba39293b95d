import type { ClipboardEvent } from 'react';
import { normalizeText } from '../../core/savings/calculator-texts.ts';
import { parseAmount } from '../../core/savings/parse-amount.ts';
import type { CalculatorField as Field } from '../../core/savings/plans.ts';

/** One number field with its label and unit. Pasted text goes through the one rule for figures. */
export function CalculatorField(props: {
  readonly field: Field;
  readonly text: string;
  readonly onType: (text: string) => void;
}) {
  const { field, text, onType } = props;
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (/^\s*\d+\s*$/.test(pasted)) return;
    event.preventDefault();
    if (parseAmount(pasted) !== null) onType(normalizeText(pasted));
  };
  return (
    <label className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 border-b border-line py-3.5">
      <span>
        {field.label}
        {field.kind === 'amount' && <span className="block text-sm text-muted">{field.unit}</span>}
      </span>
      <input
        type="number"
        inputMode={field.kind === 'count' ? 'numeric' : 'decimal'}
        name={field.name}
        value={text}
        min={field.min}
        max={field.max ?? undefined}
        step={field.kind === 'count' ? 1 : 'any'}
        placeholder={field.placeholder === null ? undefined : String(field.placeholder)}
        onChange={(event) => onType(event.target.value)}
        onPaste={paste}
        className="field n w-32 text-right text-lg font-semibold placeholder:font-normal"
      />
    </label>
  );
}
