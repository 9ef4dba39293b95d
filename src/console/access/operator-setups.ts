import type { Operator, OperatorRole } from '../../core/console/operator.ts';
import { buildSetupPath, CONSOLE_PATH } from '../../core/paths.ts';
import { createSecretToken, hashSecretToken } from '../../server/http/secret-token.ts';
import type { OperatorStore } from '../../stores/operators.ts';

export const SETUP_MINUTES = 15;

/** Who sets a password at a one-time address: the first owner, a new operator, or one who has forgotten it. */
export type SetupPurpose =
  | { readonly kind: 'first' }
  | { readonly kind: 'invite'; readonly name: string; readonly role: OperatorRole }
  | { readonly kind: 'reset'; readonly operator: Operator };

/**
 * Creates a one-time address, valid for `SETUP_MINUTES`; the one with the same purpose is no longer valid. Returns its
 * path, which is the secret.
 */
export async function createSetup(store: OperatorStore, purpose: SetupPurpose, now: number): Promise<string> {
  const token = createSecretToken();
  await store.writeSetup({
    tokenHash: hashSecretToken(token),
    expiresAt: now + SETUP_MINUTES * 60_000,
    ...describePurpose(purpose),
  });
  return buildSetupPath(token);
}

/**
 * The path at which the operator begins: the console, or a new one-time address while there is no operator. Rejects
 * with `OperatorStoreError`.
 */
export async function createEntryPath(store: OperatorStore, now: number): Promise<string> {
  const operators = await store.readOperators();
  return operators.length > 0 ? CONSOLE_PATH : createSetup(store, { kind: 'first' }, now);
}

function describePurpose(purpose: SetupPurpose) {
  switch (purpose.kind) {
    case 'first':
      return { purpose: 'first', operatorId: null, name: '', role: 'owner' } as const;
    case 'invite':
      return {
        purpose: `invite ${purpose.name}`,
        operatorId: null,
        name: purpose.name,
        role: purpose.role,
      };
    case 'reset': {
      const { id, name, role } = purpose.operator;
      return { purpose: `reset ${id}`, operatorId: id, name, role };
    }
  }
}
