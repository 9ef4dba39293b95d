import { expect, it } from 'vitest';
import { nameCommand } from './name-command.ts';

it('names a command by npm in a clone', () =>
  expect(nameCommand('links check')).toBe('npm run -s signpost -- links check'));

it.each([
  'file:///srv/site/node_modules/signpost/src/core/text/name-command.ts',
  'file:///srv/site/node_modules/signpost/dist/server/main.mjs',
])('names a command by its program in %s', (file) =>
  expect(nameCommand('links check', file)).toBe('npx signpost links check'),
);

it('names a command by npm in a bundle that has no address, as on Workers, and in a folder with a similar name', () => {
  for (const file of ['', 'file:///srv/my-node_modules-copy/src/core/text/name-command.ts'])
    expect(nameCommand('links', file)).toBe('npm run -s signpost -- links');
});
