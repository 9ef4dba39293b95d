import type { ReactNode } from 'react';
import type { ConsoleFrame } from '../console-page.ts';

/** A link to another address of the console; only its text behind a share link, which opens nothing else. */
export function OperatorLink(props: {
  readonly frame: Pick<ConsoleFrame, 'viewer'>;
  readonly href: string;
  readonly children: ReactNode;
}) {
  const { frame, href, children } = props;
  return frame.viewer.kind === 'share' ? children : <a href={href}>{children}</a>;
}
