import { CAPABILITIES } from '../../src/core/console/capabilities.ts';
import type { Operator, Operators } from '../../src/stores/operators.ts';

/** What the operators of tests have instead of the hash of a password. */
export const PASSWORD_HASH = 'hash of no password';

/** Adds an operator to a store, who may do everything unless `changes` have other capabilities. */
export async function addOperator(
  store: Operators,
  changes: Partial<Operator> & Pick<Operator, 'id' | 'name'>,
): Promise<Operator> {
  const capabilities = changes.capabilities ?? CAPABILITIES;
  const operator = {
    capabilities,
    passwordHash: PASSWORD_HASH,
    passkeyUserId: 'dXNlcg',
    createdAt: 1,
    ...changes,
  };
  const setup = { tokenHash: `for ${operator.id}`, purpose: `invite ${operator.name}`, operatorId: null };
  await store.writeSetup({ ...setup, name: operator.name, capabilities, createdBy: '', expiresAt: 2 });
  await store.completeSetup(setup.tokenHash, operator, 1);
  return operator;
}

/** What most share links of tests have in common. */
export const SHARE_LINK = {
  id: 'link',
  tokenHash: 'l',
  view: 'pages',
  parameters: '',
  label: '',
  createdBy: 'Ada',
  createdAt: 1,
} as const;
