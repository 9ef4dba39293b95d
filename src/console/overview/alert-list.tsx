import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import type { ConsoleAlert } from '../alerts/alerts.ts';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { Block } from '../frame/block.tsx';

/** What costs money or evidence until the operator does something about it; absent without any. */
export function AlertList({ alerts }: { readonly alerts: readonly ConsoleAlert[] }) {
  if (alerts.length === 0) return null;
  return (
    <Block title="Needs attention">
      <ul className="alert-list">
        {alerts.map(({ key, title, detail, view }) => (
          <li key={key}>
            <b>{title}</b> {detail}{' '}
            <a href={buildConsoleAddress(view)}>{CONSOLE_VIEWS.find((one) => one.key === view)?.name}</a>
          </li>
        ))}
      </ul>
    </Block>
  );
}
