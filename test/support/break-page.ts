import { registerHooks } from 'node:module';

/** Loaded ahead of a server (`--import`): the assessment's page throws whenever it is rendered. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!/\/server\/assessment_[^/]*\.mjs$/.test(url)) return loaded;
    return {
      ...loaded,
      source: "export const page = () => { throw new Error('a fault that no visitor may see'); };",
    };
  },
});
