import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { SHIPPED_CONTENT } from '../../../test/support/sample-content.ts';
import { siteSchema } from './site.schema.ts';

it('another text of the question is another version, so that visitors are asked again', () => {
  const site = parse(readFileSync(path.join(SHIPPED_CONTENT, 'site.yaml'), 'utf8'));
  const read = (privacyChoices: object) =>
    siteSchema.parse({ ...site, privacyChoices }).privacyChoices.version;
  const versions = [
    {},
    { visit: 'May we?' },
    { visit: 'May we!' },
    { analytics: 'May it?' },
    { version: '2' },
  ].map(read);
  expect(new Set(versions).size).toBe(5);
  for (const version of versions) expect(version).toMatch(/^[12]-[a-z0-9]{1,7}$/);
  // A label of a button is no other question.
  expect(read({ refuse: 'No' })).toBe(versions[0]);
});
