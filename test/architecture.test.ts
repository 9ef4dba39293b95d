import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCE = path.join(ROOT, 'src');

type Layer =
  | 'core'
  | 'adapters'
  | 'server'
  | 'pages'
  | 'browser'
  | 'ui'
  | 'sections'
  | 'islands'
  | 'styles'
  | 'root';

/** Which layers a layer may import, besides itself. */
const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  core: [],
  adapters: ['core'],
  server: ['core', 'adapters'],
  browser: ['core'],
  ui: [],
  styles: [],
  sections: ['core', 'ui', 'islands'],
  islands: ['core', 'browser', 'ui'],
  pages: ['core', 'server', 'sections', 'islands', 'ui', 'styles', 'root'],
  root: ['core', 'server', 'sections', 'ui', 'styles', 'browser'],
};

interface SourceFile {
  readonly name: string;
  readonly layer: Layer;
  readonly imports: readonly { readonly target: string; readonly typeOnly: boolean }[];
  readonly text: string;
}

function layerOf(name: string): Layer {
  const first = name.split('/')[0] ?? '';
  return first in MAY_IMPORT && name.includes('/') ? (first as Layer) : 'root';
}

const IMPORT =
  /(?:import|export)\s+(type\s)?[^'";]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/g;

function readSource(name: string): SourceFile {
  const text = readFileSync(path.join(SOURCE, name), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[2] ?? match[3] ?? '';
    const target = specifier.startsWith('.')
      ? path.relative(SOURCE, path.resolve(SOURCE, path.dirname(name), specifier))
      : specifier;
    return { target, typeOnly: match[1] !== undefined };
  });
  return { name, layer: layerOf(name), imports, text };
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|tsx|astro)$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map(readSource);
const byName = new Map(files.map((file) => [file.name, file]));

const isPackage = (target: string) =>
  !/^(core|adapters|server|pages|browser|ui|sections|islands|styles)\//.test(target) &&
  !target.startsWith('..') &&
  !byName.has(target);

function violations(rule: (file: SourceFile) => string[]): string[] {
  return files.flatMap((file) => rule(file).map((what) => `${file.name}: ${what}`));
}

describe('import rules', () => {
  it('finds the sources', () => {
    expect(files.length).toBeGreaterThan(7);
  });

  it('a layer imports only the layers below it', () => {
    const found = violations((file) =>
      file.imports
        .filter(({ target }) => !isPackage(target) && !target.startsWith('..'))
        .filter(({ target }) => {
          const layer = layerOf(target);
          return layer !== file.layer && !MAY_IMPORT[file.layer].includes(layer);
        })
        .map(({ target }) => `imports ${target}`),
    );
    expect(found).toEqual([]);
  });

  it('core is pure: no package but Zod, and that in *.schema.ts alone', () => {
    const found = violations((file) =>
      file.layer !== 'core'
        ? []
        : file.imports
            .filter(({ target }) => isPackage(target))
            .filter(({ target }) => !(target === 'zod' && file.name.endsWith('.schema.ts')))
            .map(({ target }) => `imports ${target}`),
    );
    expect(found).toEqual([]);
  });

  it('core reads no clock, chance, network or document', () => {
    const impure =
      /\b(Date\.now\(|new Date\(\)|Math\.random\(|crypto\.|fetch\(|document\.|window\.|localStorage|sessionStorage|process\.)/;
    const found = violations((file) => {
      if (file.layer !== 'core') return [];
      const code = file.text
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .replace(/'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, "''");
      const match = impure.exec(code);
      return match ? [`uses ${match[0]}`] : [];
    });
    expect(found).toEqual([]);
  });

  it('only compose-*.ts names an adapter', () => {
    const found = violations((file) =>
      file.layer === 'adapters' || /^server\/compose-\w+\.ts$/.test(file.name)
        ? []
        : file.imports
            .filter(({ target }) => target.startsWith('adapters/'))
            .map(({ target }) => `imports ${target}`),
    );
    expect(found).toEqual([]);
  });

  it('what runs in the browser never reaches Zod, Node or server code', () => {
    const found = files
      .filter((file) => file.layer === 'islands' || file.layer === 'browser')
      .flatMap((file) =>
        reachable(file)
          .filter(isForbiddenInBrowser)
          .map((target) => `${file.name} reaches ${target}`),
      );
    expect(found).toEqual([]);
  });

  it('sections hold no state', () => {
    const hooks = /\buse(State|Reducer|Effect|LayoutEffect|Ref|SyncExternalStore|Context)\b/;
    const found = violations((file) =>
      file.layer === 'sections' && hooks.test(file.text) ? ['uses a hook'] : [],
    );
    expect(found).toEqual([]);
  });

  it('page routes stay short', () => {
    const found = violations((file) =>
      file.layer === 'pages' && file.text.split('\n').length > 31
        ? [`has ${file.text.split('\n').length} lines`]
        : [],
    );
    expect(found).toEqual([]);
  });

  it('no file is called utils, helpers, misc, common or lib', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|misc|common|lib)(\.|\/)/.test(file.name))).toEqual(
      [],
    );
  });
});

function isForbiddenInBrowser(target: string): boolean {
  return (
    target === 'zod' ||
    target.startsWith('node:') ||
    /^(server|adapters|pages)\//.test(target) ||
    target.endsWith('.schema.ts')
  );
}

/** Every module and package that a file reaches through imports that survive compilation. */
function reachable(start: SourceFile): string[] {
  const seen = new Set<string>();
  const queue = [start];
  for (let file = queue.pop(); file; file = queue.pop()) {
    for (const { target, typeOnly } of file.imports) {
      if (typeOnly || seen.has(target)) continue;
      seen.add(target);
      const next = byName.get(target) ?? byName.get(`${target}.ts`) ?? byName.get(`${target}.tsx`);
      if (next) queue.push(next);
    }
  }
  return [...seen];
}
