/**
 * What an operator may do beyond looking at views without amounts, in the order of lists. Money: see amounts. Content:
 * save drafts. Publish: change what visitors see. Manage: operators, share links, settings, imports, messages, and with
 * money, commissions.
 */
export const CAPABILITIES = ['money', 'content', 'publish', 'manage'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** What the console and the command line call a capability. */
export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  money: 'See money',
  content: 'Edit content',
  publish: 'Publish',
  manage: 'Manage',
};

/** The capabilities among names, in their order and without repetition. Those who publish may edit too. */
export function parseCapabilities(names: readonly string[]): readonly Capability[] {
  return CAPABILITIES.filter(
    (one) => names.includes(one) || (one === 'content' && names.includes('publish')),
  );
}

/** The capabilities as a list, `See money, edit content`; `Look` without any. */
export function describeCapabilities(capabilities: readonly Capability[]): string {
  const [first = 'Look', ...others] = capabilities.map((one) => CAPABILITY_NAMES[one]);
  return [first, ...others.map((name) => name.toLowerCase())].join(', ');
}

/** Who looks at a view: an operator with a session, or the holder of a share link. */
export type ConsoleViewer =
  | {
      readonly kind: 'operator';
      readonly id: string;
      readonly name: string;
      readonly capabilities: readonly Capability[];
      /** The password or a passkey was given in the last minutes, or with the form. */
      readonly isConfirmed?: boolean;
    }
  | { readonly kind: 'share'; readonly id: string };

/** Whether a viewer has a capability. A share link shows the money of its view, and nothing else. */
export function isAllowed(viewer: ConsoleViewer, capability: Capability): boolean {
  return viewer.kind === 'share' ? capability === 'money' : viewer.capabilities.includes(capability);
}
