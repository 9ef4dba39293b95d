import { useState } from 'react';
import type { CalculatorCopy } from '../../core/savings/plans.ts';
import { Icon } from '../../ui/icon.tsx';

/** Copies the address of the page, which carries the figures. */
export function LinkTools(props: { readonly copy: CalculatorCopy; readonly address: () => string }) {
  const { copy } = props;
  const [said, setSaid] = useState('');
  const share = async () => {
    try {
      await navigator.clipboard.writeText(props.address());
      setSaid(copy.shared);
    } catch {
      setSaid(copy.shareFailed);
    }
  };
  return (
    <div className="mt-5 noscript:hidden" data-print="hide">
      <button
        type="button"
        onClick={() => void share()}
        className="inline-flex min-h-11 items-center gap-2 text-sm font-semibold text-accent"
      >
        <Icon name="link" />
        {copy.share}
      </button>
      <p role="status" className="min-h-6 text-sm text-muted">
        {said}
      </p>
    </div>
  );
}
