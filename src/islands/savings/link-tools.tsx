import { type ReactNode, useState } from 'react';
import type { CalculatorCopy } from '../../core/savings/plans.schema.ts';
import { Icon } from '../../ui/icon.tsx';

/** Copies a link with the figures; when figures came with a link, leads back to the visitor's own. */
export function LinkTools(props: {
  readonly copy: CalculatorCopy;
  readonly address: () => string;
  /** Null: the figures are the visitor's own. */
  readonly onOwn: (() => void) | null;
  /** Whether there is no result to link to. */
  readonly isEmpty: boolean;
}) {
  const { copy, onOwn } = props;
  const [status, setStatus] = useState('');
  const share = async () => {
    try {
      await navigator.clipboard.writeText(props.address());
      setStatus(copy.shared);
    } catch {
      setStatus(copy.shareFailed);
    }
  };
  return (
    <div
      className={`mt-auto pt-4 noscript:hidden ${props.isEmpty && onOwn === null ? 'invisible max-md:hidden' : ''}`}
      data-print="hide"
    >
      <div className="flex flex-wrap gap-x-6">
        <LinkButton onClick={() => void share()}>
          <Icon name="link" />
          {copy.share}
        </LinkButton>
        {onOwn !== null && (
          <LinkButton onClick={onOwn}>
            <Icon name="arrow-left" />
            {copy.own}
          </LinkButton>
        )}
      </div>
      <p role="status" className="min-h-6 text-sm text-muted">
        {status === '' && onOwn !== null ? copy.linked : status}
      </p>
    </div>
  );
}

function LinkButton(props: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={props.onClick}
      className="inline-flex min-h-11 items-center gap-2 text-sm font-semibold text-accent"
    >
      {props.children}
    </button>
  );
}
