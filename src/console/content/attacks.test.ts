import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  buildForm,
  buildViewRequest,
  createTestConsole,
  postForm,
} from '../../../test/support/console-ledger.ts';
import { createFolder, createSmallContent } from '../../../test/support/create-folder.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { NO_IMAGES } from '../../core/pages/images/content-image.ts';
import type { AppContext } from '../../server/http/route.ts';
import { deriveFromToken, hashSecretToken } from '../../server/http/secret-token.ts';
import { createConsole } from '../console.ts';
import { readContentFile } from './read-file.ts';

const FILE = 'site.yaml';

/** A content folder, a file beside it, and a console that edits it. */
async function createEditor() {
  const root = createFolder();
  const folder = path.join(root, 'content');
  createSmallContent(folder);
  writeFileSync(path.join(root, 'secret.yaml'), 'secret: 1\n');
  const site = await createTestConsole();
  const files = new ContentFiles(folder, () => NO_IMAGES);
  const content = { ...site.platform.content, files };
  return { root, folder, site: { ...site, platform: { ...site.platform, content } } };
}

it.each([
  ['..', 'secret.yaml'],
  ['pages', '..', '..', 'secret.yaml'],
  ['..%2fsecret.yaml'],
  ['..\\secret.yaml'],
  ['pages', '.hidden.yaml'],
  ['pages', 'a\0.yaml'],
  ['/etc', 'passwd'],
  ['site.yaml', ''],
  ['pages', 'x'.repeat(300)],
  ['linked', 'secret.yaml'],
  ['pages', 'linked.yaml'],
])('reads and writes nothing outside of the content folder at %j', async (...rest) => {
  const { root, folder, site } = await createEditor();
  symlinkSync(root, path.join(folder, 'linked'));
  symlinkSync(path.join(root, 'secret.yaml'), path.join(folder, 'pages/linked.yaml'));
  const request = buildViewRequest({ rest });
  const before = readdirSync(root, { recursive: true }).length;
  const model = await readContentFile(site, request);
  expect(JSON.stringify(model)).not.toContain('secret: 1');
  for (const opened of ['', model?.opened ?? '']) {
    const form = buildForm({ text: 'secret: 2\n', opened, action: 'save' });
    expect(await postForm(site, 'content', form, request)).toMatchObject({ isError: true });
  }
  expect(readFileSync(path.join(root, 'secret.yaml'), 'utf8')).toBe('secret: 1\n');
  expect(readdirSync(root, { recursive: true })).toHaveLength(before);
});

it('refuses aliases of YAML that multiply, and values inside of themselves, at once', {
  tags: ['measures'],
}, async () => {
  const { folder, site } = await createEditor();
  const before = readFileSync(path.join(folder, FILE), 'utf8');
  const levels = Array.from(
    { length: 40 },
    (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
  );
  const request = buildViewRequest({ rest: [FILE] });
  const opened = (await readContentFile(site, request))?.opened ?? '';
  for (const text of [
    `l0: &l0 [x]\n${levels.join('\n')}\n`,
    'name: &a [*a]\n',
    `${'- '.repeat(5_000)}x\n`,
    '['.repeat(20_000),
  ]) {
    const start = process.cpuUsage();
    const saved = await postForm(site, 'content', { text, opened, action: 'save' }, request);
    expect(saved).toMatchObject({ status: 422, isError: true });
    if (!('draft' in saved)) throw new Error('it was saved');
    await readContentFile(site, { ...request, draft: saved.draft });
    expect(process.cpuUsage(start).user).toBeLessThan(1_500_000);
  }
  expect(readFileSync(path.join(folder, FILE), 'utf8')).toBe(before);
});

it('takes no form that another site has sent, that has no token, or that is larger than a file may be', async () => {
  const { folder } = await createEditor();
  const site = await createTestSite();
  Object.assign(site.platform.content, { files: new ContentFiles(folder, () => NO_IMAGES) });
  const operator = await addOperator(site.operators.accounts, { id: 'ada', name: 'Ada' });
  const token = randomBytes(32).toString('base64url');
  const now = site.clock.now();
  await site.operators.accounts.writeSession(
    {
      id: 's',
      tokenHash: hashSecretToken(token),
      operatorId: 'ada',
      browser: '',
      createdAt: now,
      usedAt: now,
    },
    operator.passwordHash,
  );
  const console = createConsole(site);
  const before = readFileSync(path.join(folder, FILE), 'utf8');
  const fields = { token: deriveFromToken(token, 'form'), action: 'save', text: `${before}# Changed.\n` };
  async function post(
    change: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const own = {
      cookie: `operator=${token}`,
      host: 'localhost',
      'sec-fetch-site': 'same-origin',
      ...headers,
    };
    const url = `http://localhost/console/content/${FILE}`;
    const { hash } = Object(new ContentFiles(folder, () => NO_IMAGES).read(FILE));
    const body = buildForm({ opened: String(hash), ...fields, ...change });
    const raw = new Request(url, { method: 'POST', headers: own, body });
    const req = {
      raw,
      method: 'POST',
      url,
      path: `/console/content/${FILE}`,
      header: (name: string) => raw.headers.get(name),
    };
    const context = { req, env: { requestId: 'id', clientAddress: '192.0.2.1' } } as unknown as AppContext;
    return (await console.respond(context, async (_, status = 200) => new Response('', { status })))?.status;
  }
  for (const from of ['cross-site', 'same-site', 'none'])
    expect(await post({}, { 'sec-fetch-site': from })).toBe(403);
  expect(await post({}, { 'sec-fetch-site': '', origin: 'https://other.example' })).toBe(403);
  expect(await post({ token: 'x'.repeat(43) })).toBe(403);
  expect(await post({ token: '' })).toBe(403);
  expect(await post({ text: 'x'.repeat(50_000_000) })).toBe(413);
  expect(await post({ text: 'x'.repeat(3_000_000) })).toBe(422);
  expect(readFileSync(path.join(folder, FILE), 'utf8')).toBe(before);
  expect(await post({})).toBe(303);
  expect(readFileSync(path.join(folder, FILE), 'utf8')).toBe(fields.text);
});
