/** What an operator may do: owners change things, viewers look. */
export type OperatorRole = 'owner' | 'viewer';

/** Who looks at a view: an operator with a session, or the holder of a share link. */
export type ConsoleViewer =
  | {
      readonly kind: 'operator';
      readonly id: string;
      readonly name: string;
      readonly role: OperatorRole;
    }
  | { readonly kind: 'share'; readonly id: string };

/** Whether a viewer may change things. */
export function isOwner(viewer: ConsoleViewer): boolean {
  return viewer.kind === 'operator' && viewer.role === 'owner';
}
