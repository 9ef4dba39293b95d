import type { Operator } from '../../src/core/console/operator.ts';
import type { Operators } from '../../src/stores/operators.ts';

/** What the operators of tests have instead of the hash of a password. */
export const PASSWORD_HASH = 'hash of no password';

/** Adds an operator to a store, an owner unless `changes` have another role. */
export async function addOperator(
  store: Operators,
  changes: Partial<Operator> & Pick<Operator, 'id' | 'name'>,
): Promise<Operator> {
  const role = changes.role ?? 'owner';
  const operator = { role, passwordHash: PASSWORD_HASH, passkeyUserId: 'dXNlcg', createdAt: 1, ...changes };
  const setup = { tokenHash: `for ${operator.id}`, purpose: `invite ${operator.name}`, operatorId: null };
  await store.writeSetup({ ...setup, name: operator.name, role, createdBy: '', expiresAt: 2 });
  await store.completeSetup(setup.tokenHash, operator, 1);
  return operator;
}
