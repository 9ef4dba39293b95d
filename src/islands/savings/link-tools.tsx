import { type ReactNode, useState } from 'react';
import type { CalculatorCopy } from '../../core/savings/plans.ts';
import { Icon } from '../../ui/icon.tsx';

/** Copies the address that carries the figures; over somebody else's figures, leads back to one's own. */
export function LinkTools(props: {
  readonly copy: CalculatorCopy;
  readonly address: () => string;
  /** Null: the figures are the visitor's own. */
  readonly onOwn: (() => void) | null;
}) {
  const { copy, onOwn } = props;
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
    <div className="mt-auto pt-4 noscript:hidden" data-print="hide">
      <div className="flex flex-wrap gap-x-6">
        <LinkButton onPress={() => void share()}>
          <Icon name="link" />
          {copy.share}
        </LinkButton>
        {onOwn !== null && (
          <LinkButton onPress={onOwn}>
            <Icon name="arrow-left" />
            {copy.own}
          </LinkButton>
        )}
      </div>
      <p role="status" className="min-h-6 text-sm text-muted">
        {said === '' && onOwn !== null ? copy.linked : said}
      </p>
    </div>
  );
}

function LinkButton(props: { readonly onPress: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={props.onPress}
      className="inline-flex min-h-11 items-center gap-2 text-sm font-semibold text-accent"
    >
      {props.children}
    </button>
  );
}
