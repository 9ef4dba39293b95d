// Local storage, or what stands in for it as long as the page lives where it is denied or full.
let box: Record<string, string> | undefined;

function openBox(): Record<string, string> {
  try {
    box ??= localStorage;
  } catch {
    box = {};
  }
  return box;
}

/** Reads a text; empty when there is none. */
export function readKept(key: string): string {
  return openBox()[key] ?? '';
}

/** Keeps a text for this page and, where storage allows, the other tabs and the next visit. */
export function keepText(key: string, text: string): void {
  try {
    openBox()[key] = text;
  } catch {
    box = { ...box, [key]: text };
  }
}

/** Forgets a text. */
export function forgetText(key: string): void {
  delete openBox()[key];
}

/** Keys that begin with `prefix`, sorted. */
export function listKept(prefix: string): string[] {
  return Object.keys(openBox())
    .filter((key) => key.startsWith(prefix))
    .sort();
}
