import type { ConsoleViewer } from '../../core/console/console-viewer.ts';

/** A session of an operator, read from the cookie of a request. */
export interface ConsoleSession {
  /** Names the session in lists; no secret. */
  readonly id: string;
  readonly viewer: Extract<ConsoleViewer, { kind: 'operator' }>;
  /** Part of every form that the session may post. */
  readonly formToken: string;
}

/** Who may use the console. */
export interface ConsoleAuth {
  /** Whether there is an operator who could sign in. */
  hasOperator(): Promise<boolean>;
  /** The valid session of a request; null without one. */
  readSession(request: Request): Promise<ConsoleSession | null>;
}
