import { expect, it } from 'vitest';
import { createSetup } from '../../src/console/access/setup.ts';
import { runWrangler, WranglerExecutor } from '../../src/runtimes/cloudflare/tools/wrangler.ts';
import { hashSecretToken } from '../../src/server/http/secret-token.ts';
import { Operators } from '../../src/stores/operators.ts';
import { createFolder } from '../support/create-folder.ts';

it('writes one-time addresses through wrangler, as for a deployed database, whatever a name contains', async () => {
  const folder = createFolder();
  const local = ['--local', '--persist-to', folder];
  runWrangler(['d1', 'migrations', 'apply', 'CONSOLE', ...local], ['ignore', 'pipe', 'inherit']);
  const store = new Operators(new WranglerExecutor('CONSOLE', local));
  const name = `O'Neill?'); DROP TABLE setups; --`;
  const setup = await createSetup(
    store,
    { kind: 'invite', name, capabilities: ['money'], createdBy: '' },
    1_000,
  );
  const hash = hashSecretToken(setup.split('/').at(-1) ?? '');
  expect(await store.findSetup(hash, 1_001)).toMatchObject({
    name,
    capabilities: ['money'],
    operatorId: null,
  });
});
