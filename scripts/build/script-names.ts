import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import type { ScriptNames } from '../../src/runtimes/astro/insert-styles.ts';
import { listMarkupFiles } from './page-sources.ts';

const MODULE = 'virtual:script-names';
const SOURCE = path.resolve(import.meta.dirname, '../../src');
const ISLAND = /<([A-Z]\w*)[^<>]*?\sclient:/g;
const ELEMENT = /(?:<|createElement\(')([a-z][a-z0-9]*)/g;
const DATA = /\b(data-[a-z-]+)|dataset(?:\.(\w+)|\['(\w+)'\])/g;
const PROPERTY = /var\((--[\w-]+)/g;
const TEXT = /"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g;
const CLASS = /^-?[a-z[][\w:./[\]()%&>=,#-]*$/;

/** Gives the server the classes and elements that the browser's scripts may add to a page, read from their sources. */
export function scriptNames(): Plugin {
  return {
    name: 'signpost:script-names',
    resolveId: { filter: { id: /^virtual:script-names$/ }, handler: () => `\0${MODULE}` },
    load: {
      filter: { id: /^\0virtual:script-names$/ },
      handler: () => `export default ${JSON.stringify(listScriptNames())};`,
    },
  };
}

/** Lists the names of all islands and browser scripts. */
export function listScriptNames(): ScriptNames {
  const pages = globSync(path.join(SOURCE, '{pages,sections}/**/*.astro')).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const components = new Set(
    pages.flatMap((page) => [...page.matchAll(ISLAND)].map(([, name = '']) => name)),
  );
  const islands: Record<string, string[]> = {};
  for (const file of globSync(path.join(SOURCE, 'islands/*/*.tsx'))) {
    const code = readFileSync(file, 'utf8');
    for (const name of components)
      if (code.includes(`export function ${name}(`)) islands[name] = readNames(listMarkupFiles(file));
  }
  return { always: readNames(listScripts()), islands };
}

const listScripts = () =>
  globSync(path.join(SOURCE, 'browser/**/*.ts')).filter((file) => !file.endsWith('.test.ts'));

/** Every word in a string, because it could be a class; words without a rule are harmless. */
function readNames(files: readonly string[]): string[] {
  const names = new Set<string>();
  for (const file of files) {
    const code = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    for (const [, element = ''] of code.matchAll(ELEMENT)) names.add(element);
    for (const [, property = ''] of code.matchAll(PROPERTY)) names.add(property);
    for (const [, ...texts] of code.matchAll(TEXT))
      for (const word of texts.join('').split(/\s+/)) if (CLASS.test(word)) names.add(`.${word}`);
    for (const [, attribute, ...property] of code.matchAll(DATA))
      names.add(`[${attribute ?? toAttribute(property.join(''))}]`);
  }
  return [...names].sort();
}

const toAttribute = (property: string) =>
  `data-${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
