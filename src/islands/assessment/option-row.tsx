/** One answer: a native radio button or checkbox in a row that is all target, with the digit that chooses it. */
export function OptionRow(props: {
  readonly kind: 'single' | 'multiple';
  readonly field: string;
  readonly label: string;
  readonly digit: number;
  readonly checked: boolean;
  readonly invalid: boolean;
  readonly onChoose: (label: string) => void;
}) {
  const { label, digit } = props;
  return (
    <label className="option">
      <input
        type={props.kind === 'single' ? 'radio' : 'checkbox'}
        name={props.field}
        value={label}
        checked={props.checked}
        onChange={() => props.onChoose(label)}
        data-digit={digit}
        aria-invalid={props.invalid || undefined}
        className="option-mark"
      />
      <span className="flex-1">{label}</span>
      <kbd aria-hidden className="option-key" data-key={digit} />
    </label>
  );
}
