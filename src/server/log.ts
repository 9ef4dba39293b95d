import { escapeControls } from '../core/text/parse-text.ts';

/** Writes one JSON line per entry. A full disk or a closed pipe never breaks the site. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Creates a log; `write` receives finished lines, `now` is the clock in ms. `name`: as a person of the machine reads it. */
export function createLog(
  write: (line: string) => void,
  now: () => number,
  name = (text: string): string => text,
): Log {
  const toPlain = (_key: string, value: unknown): unknown => {
    if (value instanceof Error)
      return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
    if (typeof value === 'string') return name(value);
    return typeof value === 'bigint' ? value.toString() : value;
  };
  const at =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const time = new Date(now()).toISOString();
      try {
        write(`${escapeControls(JSON.stringify({ time, level, message, ...fields }, toPlain))}\n`);
      } catch {
        // Losing a line is better than losing a request.
      }
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
