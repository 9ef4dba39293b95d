import { beforeEach, expect, it } from 'vitest';
import { readImageCatalog } from '../../../scripts/build/read-image-catalog.ts';
import {
  buildViewRequest,
  createTestConsole,
  renderWithForms,
} from '../../../test/support/console-ledger.ts';
import { createFolder, createSmallContent } from '../../../test/support/create-folder.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { FileEditor } from './edit-view.tsx';
import { readContentFile } from './read-file.ts';

const HOSTILE = '"></textarea><script>alert(1)</script>';
const PAGE = `title: '${HOSTILE}'
description: A page that is written by a test, long enough for search results.
sections:
  - { type: hero, title: Help }
  - type: prose
    body: |
      ${HOSTILE}
`;

let site: ConsoleSite;
beforeEach(async () => {
  const root = createFolder();
  createSmallContent(root, { 'pages/written.yaml': () => PAGE });
  const images = await readImageCatalog(root);
  const created = await createTestConsole();
  const files = new ContentFiles(root, () => images);
  site = { ...created, platform: { ...created.platform, content: { ...created.platform.content, files } } };
});

async function render(change: Partial<ViewRequest> = {}): Promise<string> {
  const request = buildViewRequest({ rest: ['pages', 'written.yaml'], ...change });
  const model = await readContentFile(site, request);
  if (model === null) throw new Error('there is no such file');
  return renderWithForms('content', request.viewer, <FileEditor model={model} />);
}

const listTags = (html: string, name: string) => html.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];
const readAttribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

it('can be read without a script: each field has a label, and HTML of the file is text', async () => {
  const html = await render({ parameters: new URLSearchParams('at=sections.0') });
  expect(html).not.toContain('<script>');
  expect(html).toContain('&lt;script&gt;');
  expect(html).toContain('<noscript><p class="problem">Writing needs scripts');
  const fields = ['input', 'select', 'textarea'].flatMap((name) => listTags(html, name));
  const shown = fields.filter((tag) => !/type="hidden"|\bhidden=""/.test(tag));
  const labels = new Set(listTags(html, 'label').map((tag) => readAttribute(tag, 'for')));
  expect(shown.length).toBeGreaterThan(7);
  expect(shown.filter((tag) => !labels.has(readAttribute(tag, 'id')))).toEqual([]);
  const ids = [...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it.each([
  ['of the promoted partner', '', '', true],
  ['of the partner of the page', 'cta: { partner: kit, source: help }', '', false],
  ['of its own partner', 'cta: { partner: kit, source: help }', ', partner: highlevel', true],
])('offers for a link the pages %s', async (_, cta, partner, hasDemo) => {
  const action = `{ label: Prices, partnerLink: pricing${partner} }`;
  const text = `title: Help\n${cta}\nsections:\n  - { type: hero, title: Help, actions: [${action}] }\n`;
  const draft = { text, opened: 'hash', problems: [], current: null };
  const html = await render({ draft, parameters: new URLSearchParams('at=sections.0') });
  const [, options = ''] =
    /<select id="field--sections-0-actions-0-partnerLink-"[^>]*>(.*?)<\/select>/.exec(html) ?? [];
  expect(options).toMatch(/<option value="pricing"[^>]* selected=""/);
  expect(options.includes('value="demo"')).toBe(hasDemo);
});

it('names no file where a text of the draft stands yet', async () => {
  const path = ['description'];
  const reason = 'still has "What": replace it, or set draft: true';
  const problem = { file: 'pages/written.yaml', field: 'line 2, field description', reason, path };
  const html = await render({ draft: { text: PAGE, opened: 'hash', problems: [problem], current: null } });
  expect(html).toContain('still has &quot;What&quot;: replace it<');
});

it('links each problem to its field', async () => {
  const path = ['sections', 1, 'body'];
  const problem = {
    file: 'pages/written.yaml',
    field: 'section 2 (prose), field body',
    reason: 'is empty',
    path,
  };
  const html = await render({ draft: { text: PAGE, opened: 'hash', problems: [problem], current: null } });
  const [, id = ''] = /<a href="#([^"]+)">Sections › 2 Text › Body: is empty<\/a>/.exec(html) ?? [];
  expect(html).toContain(`<label for="${id}">Body`);
});

it('shows what differs when the file was changed meanwhile, with the text of the operator', async () => {
  const text = PAGE.replace('title: Help', 'title: Mine');
  const current = { text: PAGE.replace('title: Help', 'title: Theirs'), hash: 'hash-2' };
  const html = await render({ draft: { text, opened: 'hash', problems: [], current, at: 'sections.0' } });
  expect(html).toMatch(
    /removed: <\/span><span> {2}- \{ Type: hero, Title: <\/span><del>Theirs<\/del><span> \}/,
  );
  expect(html).toMatch(/added: <\/span><span> {2}- \{ Type: hero, Title: <\/span><ins>Mine<\/ins><span> \}/);
  expect(html).toContain('name="current" value="hash-2"');
  expect(html).toContain('value="overwrite"');
  expect(html).toContain('value="Mine"');
});

it('offers no button to a viewer, and says why', async () => {
  expect(await render()).toContain('>Save</button>');
  const html = await render({
    viewer: { kind: 'operator', id: 'o-2', name: 'Eve', capabilities: ['money'] },
  });
  expect(html).toContain('but not edit it');
  expect(html).not.toContain('>Save</button>');
  expect(html).toContain('<fieldset class="min-w-0" disabled="">');
  expect(html).not.toContain('data-form');
});

it('lists the versions, each with a form that puts it back', async () => {
  await render();
  const hash = 'hash of the other text';
  const version = { text: `${PAGE}# <b>\n`, hash, operator: '<b>Eve', savedAt: 1 };
  await site.content.versions.add('pages/written.yaml', version);
  await render();
  const html = await render({ parameters: new URLSearchParams('view=history&older=1&newer=2') });
  expect(html).toContain('From version 1 to version 2');
  expect(html).toContain('added: </span><ins># &lt;b&gt;</ins>');
  expect(html).not.toContain('<b>');
  expect(html).toContain('name="version" value="2"');
  expect(html).not.toContain('name="version" value="3"');
  const same = await render({ parameters: new URLSearchParams('view=history&older=1&newer=3') });
  expect(same).toContain('Both texts are the same.');
});
