// Writes src/core/events/source-lists.json from a local copy of the lists that Matomo publishes under CC0:
//   git clone --depth 1 https://github.com/matomo-org/searchengine-and-social-list lists
//   node tools/build-source-lists.ts lists
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';

const OUTPUT = path.resolve(import.meta.dirname, '..', 'src', 'core', 'events', 'source-lists.json');

const hostList = z.record(z.string(), z.array(z.string()));
const engineList = z.record(
  z.string(),
  z.array(z.object({ urls: z.array(z.coerce.string()), hiddenkeyword: z.array(z.string()).optional() })),
);

/** A host name, `{}` for any country; neither a path nor an onion address. */
const HOST = /^(?:\{\}\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,}|\{\}|xn--[a-z0-9]+)$/;
const SEARCH_WORDS = /search|such|find|busc|recherch|szuk|haku|cerca|zoek|query|poisk|hledej/;
/** A page for signing in, which a network that is gone has used; news and translations, which are no search. */
const LEFT_OUT = new Set(['login.live.com', 'news.google.com', 'news.google.{}', 'translate.google.com']);

const normalize = (host: string) => host.toLowerCase().replace(/^www\d?\./, '');
const isHost = (host: string) => HOST.test(host) && !host.endsWith('.onion') && !LEFT_OUT.has(host);

/**
 * Referrers name the host alone, without the term that was searched for. So the host of a portal, whose pages are mostly
 * something else, says nothing: a host counts when its engine hides the terms, or when it names the engine or a search.
 */
function isEngine(name: string, host: string, hidesTerms: boolean): boolean {
  const [word = ''] = name.toLowerCase().match(/[a-z0-9]+/) ?? [];
  return hidesTerms || SEARCH_WORDS.test(host) || (word.length > 1 && host.includes(word));
}

type Sites = readonly (readonly [name: string, hosts: readonly string[]])[];

const buildList = (sites: Sites) =>
  Object.fromEntries(
    sites.filter(([, hosts]) => hosts.length > 0).map(([name, hosts]) => [name, [...new Set(hosts)]]),
  );

function buildSites(list: z.infer<typeof hostList>) {
  const sites = Object.entries(list).map(([key, hosts]) => {
    const own = hosts.map(normalize).filter(isHost);
    // A host that is below another one of the same name is found by it.
    return [
      decodeURIComponent(key),
      own.filter((host) => !own.some((other) => host.endsWith(`.${other}`))),
    ] as const;
  });
  return buildList(sites);
}

function buildEngines(list: z.infer<typeof engineList>) {
  const engines = Object.entries(list).map(([name, definitions]) => {
    const hosts = definitions.flatMap(({ urls, hiddenkeyword }) =>
      urls.map(normalize).filter((host) => isHost(host) && isEngine(name, host, hiddenkeyword !== undefined)),
    );
    return [name, hosts] as const;
  });
  return buildList(engines);
}

const { positionals } = parseArgs({ allowPositionals: true });
const [folder] = positionals;
if (folder === undefined)
  throw new Error('Name the folder of the lists: node tools/build-source-lists.ts FOLDER');
const read = async (name: string): Promise<unknown> => parse(await readFile(path.join(folder, name), 'utf8'));
const git = (...words: readonly string[]) =>
  execFileSync('git', ['-C', folder, 'log', '-1', ...words], { encoding: 'utf8' }).trim();

const lists = {
  source: `https://github.com/matomo-org/searchengine-and-social-list, commit ${git('--format=%h')} of ${git('--format=%cs')}, in the public domain (CC0-1.0)`,
  assistants: buildSites(hostList.parse(await read('AIAssistants.yml'))),
  networks: buildSites(hostList.parse(await read('Socials.yml'))),
  engines: buildEngines(engineList.parse(await read('SearchEngines.yml'))),
};
await writeFile(OUTPUT, `${JSON.stringify(lists, null, 2)}\n`);
