import { buildConsoleAddress } from '../figures/addresses.ts';

/** The address of the form of a content file. `extra` are its parameters, such as `view`. */
export function buildFileAddress(file: string, extra: Readonly<Record<string, string>> = {}): string {
  return buildConsoleAddress('content', {}, { rest: file.split('/'), extra });
}
