import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { replayNetwork } from './replay-network.ts';

const networks = readShippedNetworks();
const NOW = Date.parse('2026-01-10T12:00:00Z');

it.each([...networks.keys()])('the messages of networks/%s.yaml become what the file says', async (name) => {
  const replayed = await replayNetwork(name, networks, NOW);
  expect(replayed.filter(({ problem }) => problem !== null)).toEqual([]);
});

it.each([...networks.keys()])('networks/%s.yaml has at most 80 lines', (name) => {
  const text = readFileSync(path.resolve(import.meta.dirname, `../../../networks/${name}.yaml`), 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(81);
});
