import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr } from '../../../test/support/build-wxr.ts';
import { buildPartner, createTestConsole, postChange } from '../../../test/support/console-ledger.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createUploadFolder } from '../../../test/support/store-file.ts';
import { createSiteFolder } from '../../commands/new.ts';
import { CAPABILITIES } from '../../core/console/capabilities.ts';
import { MoveIn } from '../../move-in/move-in.ts';
import { ACTION_GROUPS } from '../actions.ts';
import { openUploads } from './run-imports.ts';

/** Names the fields by which forms say what was previewed. */
const PREVIEWED = ['upload', 'message'] as const;

/** Every form after a preview, generated from what the actions declare. */
const FORMS = ACTION_GROUPS.flatMap(({ view, actions }) =>
  Object.entries(actions).flatMap(([name, { fields }]) =>
    PREVIEWED.flatMap((field) => (field in fields.shape ? [{ view, name, field }] : [])),
  ),
);

const build = (id: string) => ({ kind: 'operator', id, name: id, capabilities: CAPABILITIES }) as const;
type Viewer = ReturnType<typeof build>;

/** A site with what its operators upload: the number tells the contents of two files apart. */
async function open() {
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, day: '2026-01-05' });
  const partners = new Map([['acme', buildPartner('acme')]]);
  const platform = { uploads: createUploadFolder() };
  const site = {
    ...(await createTestConsole({ content: { partners }, platform })),
    moveIn: new MoveIn(content),
  };
  const post = (fields: Readonly<Record<string, string | File>>, viewer: Viewer) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const { view } =
      ACTION_GROUPS.find(({ actions }) => String(fields['action']) in actions) ?? expect.fail();
    return postChange(site, view, form, { viewer });
  };
  const file = (text: string) => new File([text], 'file.csv');
  /** The uploads that a preview can be of, by the kind of what is stored. */
  const uploads = {
    report: (number: number) => ({
      action: 'upload',
      partner: 'acme',
      currency: 'USD',
      timeZone: 'UTC',
      dates: '',
      file: file(`id,commission,date\nr-${number},5.00,2025-12-01\n`),
    }),
    costs: (number: number) => ({
      action: 'upload-costs',
      platform: 'google',
      currency: 'USD',
      timeZone: 'UTC',
      dates: '',
      file: file(`Day,Campaign,Cost\n2025-12-01,c-${number},1\n`),
    }),
    site: (number: number) => ({
      action: 'upload-site',
      file: file(buildWxr([{ id: number, slug: `post-${number}`, content: 'Words.' }])),
    }),
  };
  const readUpload = async ({ id }: Viewer) => {
    const own = (await openUploads(site).readAll()).filter(({ operator }) => operator === id);
    expect(own.length).toBeLessThan(2);
    return own[0];
  };
  /** Everything that an import changes. */
  const readState = async () => ({
    facts: (await site.money.ledger.readFacts()).map(({ nativeId }) => nativeId),
    costs: (await site.money.costs.readEntries()).length,
    articles: readdirSync(path.join(content, 'articles')).filter((name) => name.startsWith('post-')),
    unread: (await site.money.ledger.readUnread()).length,
  });
  return { site, post, uploads, readUpload, readState };
}

it('knows every form after a preview', () => {
  expect(FORMS.map(({ view, name, field }) => `${view} ${name} ${field}`)).toEqual([
    'campaigns answer-costs upload',
    'campaigns commit-costs upload',
    'campaigns discard-costs upload',
    'partners answer-file upload',
    'partners commit upload',
    'partners discard upload',
    'partners map-messages message',
    'partners read-messages message',
    'partners answer-id message',
    'partners discard-messages message',
    'partners make-network message',
    'settings commit-site upload',
  ]);
});

const findKind = (name: string) =>
  name.endsWith('-site') ? 'site' : name.endsWith('-costs') ? 'costs' : 'report';

const [ada, bob] = [build('ada'), build('bob')];

it.each(FORMS.filter(({ field }) => field === 'upload').map(({ name }) => [name, findKind(name)] as const))(
  '%s of an upload with a %s does what its operator has seen, and nothing for another one',
  async (name, kind) => {
    const { post, uploads, readUpload, readState } = await open();
    const upload = (number: number, viewer: Viewer) => post(uploads[kind](number), viewer);
    expect(await upload(1, ada)).toMatchObject({ isError: false });
    const seen = await readUpload(ada);
    if (seen === undefined) throw new Error('no upload');
    const form = {
      action: name,
      upload: seen.id,
      hash: seen.hash,
      column: 'currency',
      header: '',
      alike: 'other',
    };
    const before = await readState();

    // Another operator, who has seen something else or nothing.
    await post(form, bob);
    await upload(2, bob);
    await post(form, bob);
    expect(await readState()).toEqual(before);
    expect(await readUpload(ada)).toEqual(seen);

    // The same operator, after another upload in another tab.
    await upload(3, ada);
    const other = await readUpload(ada);
    await post(form, ada);
    expect(await readState()).toEqual(before);
    expect(await readUpload(ada)).toEqual(other);

    const { id = '', hash = '' } = other ?? {};
    expect(await post({ ...form, upload: id, hash }, ada)).toMatchObject({ isError: false });
    const after = await readState();
    if (['discard', 'discard-costs', 'answer-file', 'answer-costs'].includes(name))
      expect(after).toEqual(before);
    else expect(JSON.stringify(after)).not.toBe(JSON.stringify(before));
    expect(after.facts.filter((one) => one !== 'r-3')).toEqual([]);
    expect(after.articles.filter((one) => one !== 'post-3.md')).toEqual([]);
    expect((await readUpload(bob))?.id).toBeDefined();
  },
);

it.each(FORMS.filter(({ field }) => field === 'message').map(({ name }) => name))(
  '%s does nothing to messages that another operator has read or discarded meanwhile',
  async (name) => {
    const { site, post, readState } = await open();
    const add = (id: string) =>
      site.money.ledger.addUnread({
        partner: 'acme',
        arrivedAt: site.clock.now(),
        content: JSON.stringify({ [id]: 1 }),
        source: 'postback',
        problem: 'unknown',
      });
    await add('first');
    const [message] = await site.money.ledger.readUnread();
    await post({ action: 'discard-messages', message: message?.id ?? '' }, bob);
    await add('second');
    const before = await readState();
    expect(before.unread).toBe(1);
    expect(await post({ action: name, message: message?.id ?? '' }, ada)).toMatchObject({ isError: true });
    expect(await readState()).toEqual(before);
  },
);
