import type { Content } from '../../core/pages/content.ts';

/** The content that is shown, which a valid edit replaces as a whole. */
export interface LiveContent {
  /** Reads from the present content: keep this object, not its fields. A copy of it is a snapshot. */
  readonly content: Content;
  replace(next: Content): void;
}

/** Creates the content that is shown from the content of the start. */
export function createLiveContent(initial: Content): LiveContent {
  let current = initial;
  // Every field of the content, also one that is added later, is read from the present content.
  const content = new Proxy<Content>({ ...initial }, { get: (_, name) => Reflect.get(current, name) });
  return {
    content,
    replace(next) {
      current = next;
    },
  };
}
