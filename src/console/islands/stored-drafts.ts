/** What a form had that the server did not have yet: its fields in their order. */
export interface StoredDraft {
  /** ms since 1970. */
  readonly time: number;
  /** Hash of the file that was opened. */
  readonly opened: string;
  /** The stamp of the server's text that this one goes on from. */
  readonly follows: string;
  /** The page that has written it, and how many changes it had. */
  readonly page: string;
  readonly number: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The part of the form whose fields they are, as an address. */
  readonly action: string;
}

/** What the server says. */
export type SentAnswer = Readonly<Record<string, unknown>>;

/** Fields that belong to the page and not to the text. */
const OWN_FIELDS = new Set(['token', 'action', 'view']);

export function listFields(form: HTMLFormElement): StoredDraft['fields'] {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && !OWN_FIELDS.has(name)
      ? [[name, value.replace(/\r\n?/g, '\n')] as const]
      : [],
  );
}

export const readAnswer = (response: Response): Promise<SentAnswer | null> =>
  response.json().then(
    (read: unknown) => (typeof read === 'object' && read !== null ? { ...read } : null),
    () => null,
  );

export function getValue(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

/** false: without storage, or when it is full, the text is in the form alone. */
export function write(key: string, draft: StoredDraft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // It was not stored either.
  }
}

/** Whether something is stored. */
export function has(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
