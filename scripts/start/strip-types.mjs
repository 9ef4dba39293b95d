// @ts-check
// node --import …/strip-types.mjs PROGRAM: runs the TypeScript of an installed package, which Node leaves to the package below
// node_modules.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ROOT } from './pinned-node.mjs';

registerHooks({
  load(url, context, nextLoad) {
    const file = url.startsWith('file:') && /\.ts$/.test(url) ? fileURLToPath(url) : null;
    if (file === null || !file.startsWith(ROOT)) return nextLoad(url, context);
    return { format: 'module', shortCircuit: true, source: stripTypeScriptTypes(readFileSync(file, 'utf8')) };
  },
});
