import { expect, it } from 'vitest';
import { buildViewRequest, createTestConsole, postChange } from '../../../test/support/console-ledger.ts';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import { SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createUploadFolder, storeFile } from '../../../test/support/store-file.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { undoImport } from '../../server/commissions/csv-import.ts';
import { Ledger } from '../../stores/ledger.ts';
import { importActions } from '../actions.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readImport } from './read.ts';
import { ImportRunner, uploadFile } from './run-imports.ts';
import { ImportUploads } from './uploads.ts';

const NOW = Date.parse('2025-12-20T12:00:00Z');
const ROWS = 95;
const BUDGET_MS = 60_000;
const LINES = Array.from({ length: ROWS }, (_, row) => `id-${row},1.00,${row % 2 === 0 ? SAMPLE_CLICK : ''}`);
const FILE = ['id,commission,sub id', ...LINES].join('\n');

/** Passes calls on until one of them is to be the last of the process: before or after it had its effect. */
function killAt<T extends object>(target: T, life: { calls: number; killAfter: boolean }): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...parameters: unknown[]) => {
        life.calls -= 1;
        if (life.calls < 0 || (life.calls === 0 && !life.killAfter)) throw new Error('killed');
        const result: unknown = await value.apply(target, parameters);
        if (life.calls === 0) throw new Error('killed');
        return result;
      };
    },
  });
}

const time = { now: NOW };
const site = await createTestConsole({ now: () => time.now });
await site.visitors.events.append(buildSampleVisit(SAMPLE_CLICK));

/** Where uploads wait: on Node in a folder, on Workers in the database. */
const PLACES = ['folder', 'database'] as const;

/** A ledger and the files of its operators, which any number of processes use. */
function createSite(place: (typeof PLACES)[number] = 'folder') {
  time.now = NOW;
  const folder = place === 'folder' ? createUploadFolder() : null;
  const ledger = new Ledger(new MemoryExecutor(openMemoryDatabase('commissions')));
  const { temporary } = createMemoryConsole();
  const startProcess = (
    calls = Number.MAX_SAFE_INTEGER,
    killAfter = false,
    monotonic = site.clock.monotonic,
  ) => {
    const life = { calls, killAfter };
    const store = killAt(ledger, life);
    const clock = { ...site.clock, monotonic };
    const { clicks } = site.money;
    const commissions = createTestLedger({ store, clicks, now: clock.now });
    const uploads = new ImportUploads(killAt(temporary, life), folder, clock.now, 10, 300);
    const runner = new ImportRunner(
      { ...site, clock, money: { ...site.money, ledger: store, commissions } },
      uploads,
    );
    return { uploads, runner, ledger: commissions, life };
  };
  const receive = async (text = FILE, about: typeof UPLOAD = UPLOAD) => {
    const [name, { uploads }] = ['report.csv', startProcess()];
    const file = folder === null ? new File([text], name) : await storeFile(folder, name, text);
    return uploads.receive(about, { name, file });
  };
  /** Uploads a file and reads it. */
  const put = async (...given: Parameters<typeof receive>) => {
    const upload = await receive(...given);
    const { runner, uploads } = startProcess();
    await runner.prepare(upload);
    return (await uploads.get(upload.id, upload.operator)) ?? upload;
  };
  return { store: ledger, time, startProcess, folder, receive, put };
}

const UPLOAD = {
  id: 'upload',
  operator: 'o-1',
  partner: 'highlevel',
  profile: { currency: 'USD', timeZone: 'UTC', dayOrder: 'day-first' as const },
};

it.each(PLACES)(
  'imports every row of a %s once, wherever the process ends and another one continues',
  { tags: ['rest'] },
  async (place) => {
    let kills = 0;
    for (const killAfter of place === 'folder' ? [true] : [false, true]) {
      for (let calls = 1; ; calls += 1) {
        const { store, time, startProcess, put } = createSite(place);
        const upload = await put();
        const first = startProcess(calls, killAfter);
        const wasKilled = await first.runner.start(upload, BUDGET_MS).then(
          () => false,
          () => true,
        );
        const { runner, uploads, ledger } = startProcess();
        const before = (await readEntries(ledger)).length;
        // All rows count together, or none.
        expect([0, ROWS]).toContain(before);
        // The lease of a process that was killed ends by itself.
        time.now += 60_001;
        await runner.runDue();
        const waiting = await uploads.get('upload', 'o-1');
        // Without the position the operator's confirmation was not stored: the form is sent again.
        if (waiting?.running === null) await runner.start(waiting, BUDGET_MS);
        expect(await uploads.readAll()).toEqual([]);
        expect((await readEntries(ledger)).map(({ commission }) => commission.nativeId).sort()).toEqual(
          Array.from({ length: ROWS }, (_, index) => `id-${index}`).sort(),
        );
        expect(await store.readFacts()).toHaveLength(ROWS);
        expect(await store.readImports()).toMatchObject([{ rows: ROWS, state: 'committed' }]);
        if (!wasKilled && first.life.calls > 0) break;
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThan(40);
  },
);

it('refuses rows that would replace each other also when another process continues between them', async () => {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const day = index === ROWS - 1 ? 1 : index + 1;
    return `1.00,${SAMPLE_CLICK},${new Date(NOW - day * 86_400_000).toISOString()}`;
  });
  const twice = ['commission,sub id,date', ...rows].join('\n');
  for (const calls of [15, 30]) {
    const { time, startProcess, put } = createSite();
    const upload = await put(twice);
    await expect(startProcess(calls).runner.start(upload, BUDGET_MS)).rejects.toThrow('killed');
    time.now += 60_001;
    const { runner, uploads, ledger } = startProcess();
    await runner.runDue();
    const { state } = (await uploads.get('upload', 'o-1'))?.running ?? {};
    expect(state?.problems).toEqual([expect.stringContaining(`Line ${ROWS + 1}: it repeats line 2:`)]);
    expect(await readEntries(ledger)).toEqual([]);
  }
});

it('stops when its time is over, says how far it has come, and counts nothing until the end', async () => {
  const { time, startProcess, put } = createSite();
  const { uploads, runner, ledger } = startProcess();
  const upload = await put();
  expect(await runner.start(upload, 0)).toEqual({ kind: 'running', rows: 0 });
  expect((await uploads.get('upload', 'o-1'))?.running?.state.line).toBe(0);
  expect(await readEntries(ledger)).toEqual([]);
  expect(await runner.start(upload, BUDGET_MS)).toMatchObject({
    kind: 'committed',
    summary: { rows: ROWS, matched: 48, unmatched: 47, new: ROWS, sums: { USD: ROWS * 100 } },
  });
  time.now += 1;
  expect(await runner.start(upload, BUDGET_MS)).toEqual({ kind: 'missing' });
});

it('comes further each time, also when reading again what is imported takes longer than its time', async () => {
  const { startProcess, put } = createSite();
  let ticks = 0;
  const { runner } = startProcess(undefined, false, () => ticks++);
  const upload = await put();
  const lines: number[] = [];
  for (;;) {
    const outcome = await runner.start(upload, 3);
    if (outcome.kind !== 'running') break;
    expect(outcome.rows).toBeGreaterThan(lines.at(-1) ?? -1);
    lines.push(outcome.rows);
  }
  expect(lines).toHaveLength(4);
});

it('imports once when two processes continue at the same time', async () => {
  const { store, startProcess, put } = createSite();
  const processes = [startProcess(), startProcess()];
  const upload = await put();
  const [first] = processes;
  await first?.runner.start(upload, 0);
  await Promise.all(processes.map(({ runner }) => runner.runDue()));
  expect(await store.readImports()).toHaveLength(1);
  expect(await store.readFacts()).toHaveLength(ROWS);
});

it('leaves an import that was undone after it had been interrupted at its very end', async () => {
  const { store, time, startProcess, put } = createSite();
  const { uploads, runner } = startProcess();
  const upload = await put();
  await runner.start(upload, 0);
  const last = (await uploads.get('upload', 'o-1')) ?? upload;
  await runner.start(upload, BUDGET_MS);
  // As if the process had ended before the file was removed.
  await put();
  await uploads.write(last);
  time.now += 60_001;
  const [done] = await store.readImports();
  expect(await undoImport(store, done?.id ?? '', time.now)).toBe(true);
  await runner.runDue();
  expect(await store.readImports()).toMatchObject([{ state: 'undone' }]);
});

it('stores a file with a row that cannot be read, and imports none of it', async () => {
  const { store, startProcess, put } = createSite();
  const { uploads, runner } = startProcess();
  const upload = await put(`${FILE}\nlast,abc,`);
  expect(await runner.start(upload, BUDGET_MS)).toMatchObject({
    kind: 'failed',
    summary: { problems: [`Line ${ROWS + 2}: "abc" is no amount.`] },
  });
  await runner.runDue();
  expect(await store.readFacts()).toEqual([]);
  expect((await uploads.readAll())[0]?.running?.state.problems).toHaveLength(1);
});

it('replaces the last file of an operator that was not imported, and not those of others', async () => {
  const { startProcess, put } = createSite();
  const { uploads } = startProcess();
  await put(FILE, { ...UPLOAD, id: 'other', operator: 'o-2' });
  await put();
  await put(FILE, { ...UPLOAD, id: 'next' });
  expect((await uploads.readAll()).map(({ id }) => id)).toEqual(['next', 'other']);
});

it.each(PLACES)(
  'reads every row of a %s, wherever the process ends and another one begins again',
  { tags: ['rest'] },
  async (place) => {
    let kills = 0;
    for (const killAfter of [false, true]) {
      for (let calls = 1; ; calls += 1) {
        const { time, startProcess, receive } = createSite(place);
        const upload = await receive();
        const { runner, life } = startProcess(calls, killAfter);
        const wasKilled = await runner.prepare(upload).then(
          () => false,
          () => true,
        );
        const { uploads, runner: next } = startProcess();
        expect(await uploads.get('upload', 'o-1')).not.toBeNull();
        time.now += 60_001;
        await next.runDue();
        const stored = (await uploads.get('upload', 'o-1')) ?? upload;
        expect(stored).toMatchObject({ rows: ROWS, preparing: null });
        const ids: unknown[] = [];
        for await (const { row } of uploads.readRows(stored)) ids.push(row['id']);
        expect(ids).toEqual(Array.from({ length: ROWS }, (_, row) => `id-${row}`));
        if (!wasKilled && life.calls > 0) break;
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThan(place === 'folder' ? 10 : 40);
  },
);

/** A site whose operator uploads `text`, which is not read before `release` is called. */
async function uploadToSlowDisk(text: string) {
  const slow = await createTestConsole();
  const { temporaryValues } = slow.operators;
  const released = Promise.withResolvers<void>();
  const read = temporaryValues.read.bind(temporaryValues);
  temporaryValues.read = async (kind, key, now) => {
    if (kind === 'upload-bytes') await released.promise;
    return read(kind, key, now);
  };
  const sent = {
    file: [new File([text], 'large.csv')],
    partner: ['highlevel'],
    currency: ['USD'],
    timeZone: ['UTC'],
    dates: [],
    decimal: [],
  };
  const fields = importActions.actions.upload.fields.parse(sent);
  const { viewer } = buildViewRequest();
  const { partner, file, ...answers } = fields;
  const about = { kind: 'report', partner } as const;
  const outcome = await uploadFile(slow, { file, answers, about }, viewer.id, undefined, 0);
  const id = new URL(outcome.location, 'http://x').searchParams.get('upload') ?? '';
  const readPreview = async () =>
    (await readImport(slow, buildViewRequest({ search: `upload=${id}` }))).preview;
  return { slow, id, outcome, readPreview, release: () => released.resolve() };
}

it('responds before a file is read, shows how far it is, refuses to import it, then shows the preview', async () => {
  const { slow, id, outcome, readPreview, release } = await uploadToSlowDisk(
    'id,amount,date\n1,2.00,2025-11-25\n',
  );
  expect(outcome).toMatchObject({
    isError: false,
    message: 'large.csv was uploaded. Nothing is imported yet.',
  });
  expect(await readPreview()).toMatchObject({
    upload: { bytes: 33, preparing: { bytesRead: 0 } },
    summary: null,
    problems: [],
  });
  expect(await postChange(slow, 'partners', { action: 'commit', upload: id })).toMatchObject({
    isError: true,
  });
  // Also without the address of the upload.
  expect((await readImport(slow, buildViewRequest())).preview?.upload.id).toBe(id);
  release();
  await expect
    .poll(readPreview)
    .toMatchObject({ upload: { preparing: null }, summary: { rows: 1 }, problems: [] });
});

it('shows why a file cannot be read that was still being read when its upload ended', async () => {
  const { readPreview, release } = await uploadToSlowDisk('id,amount\n1,2\n3,"4');
  release();
  await expect
    .poll(readPreview)
    .toMatchObject({ summary: null, problems: [expect.stringMatching(/^Line \d+: /)] });
});

it('leaves nothing of a file that is discarded while it is read', async () => {
  const { slow, id, readPreview, release } = await uploadToSlowDisk('id,amount,date\n1,2.00,2025-11-25\n');
  await postChange(slow, 'partners', { action: 'discard', upload: id });
  // Again, as from another tab after an import: nothing is called discarded that was not.
  const again = await postChange(slow, 'partners', { action: 'discard', upload: id });
  expect(again).toMatchObject({ isError: true, message: expect.stringContaining('no longer stored') });
  release();
  // Free once the file is no longer read.
  const now = slow.clock.now();
  const lease = { holder: 'test', now, until: now + 1 };
  await expect.poll(() => slow.money.ledger.takeLease('csv-reading', lease)).toBe(true);
  expect(await readPreview()).toBeNull();
  for (const kind of ['upload', 'upload-bytes'] as const)
    expect(await slow.operators.temporaryValues.readAll(kind, now)).toEqual([]);
});

/** Uploads a file to the test's console; the preview that follows. */
async function uploadText(text: string, more: Readonly<Record<string, string[]>> = {}, site?: ConsoleSite) {
  const own = site ?? (await createTestConsole());
  const given = { partner: ['highlevel'], timeZone: ['UTC'], currency: ['USD'] };
  const files = [new File([text], 'report.csv')];
  const fields = importActions.actions.upload.fields.parse({ ...given, file: files, ...more });
  const { partner, file, ...answers } = fields;
  const sent = { file, answers, about: { kind: 'report', partner } } as const;
  const { location } = await uploadFile(own, sent, buildViewRequest().viewer.id);
  const id = new URL(location, 'http://x').searchParams.get('upload') ?? '';
  const readPreview = async () =>
    (await readImport(own, buildViewRequest({ search: `upload=${id}` }))).preview;
  return { own, id, readPreview };
}

it('asks all at once, takes the answers in one form, and remembers them for the partner', async () => {
  const text = 'id,amount,Geldsorte,Bestelltag,Status\n1,2.00,EUR,03/04/2025,erledigt\n';
  const { own, id, readPreview } = await uploadText(text, { timeZone: [''] });
  const question = (await readPreview())?.question;
  expect(question?.columns).toMatchObject([
    { header: 'Geldsorte', samples: ['EUR'], as: ['currency'] },
    { header: 'Bestelltag', as: ['eventTime', 'changeTime', 'clickTime'] },
  ]);
  expect(question?.needs).toEqual(['timeZone']);
  expect(await postChange(own, 'partners', { action: 'commit', upload: id })).toMatchObject({
    isError: true,
  });
  const answer = (fields: Readonly<Record<string, string>>) =>
    postChange(own, 'partners', { action: 'answer-file', upload: id, ...fields });
  const columns = { 'is Geldsorte': 'currency', 'is Bestelltag': 'eventTime' };
  expect(await answer({ ...columns, 'is Bestelltag': 'currency' })).toMatchObject({ isError: true });
  expect(await answer({ ...columns, timeZone: 'Mars/Base' })).toMatchObject({ isError: true });
  await answer({ ...columns, timeZone: 'Europe/Berlin' });
  expect((await readPreview())?.question).toMatchObject({ columns: [], needs: ['dates'] });
  await answer({ dates: 'day-first' });
  expect((await readPreview())?.summary).toMatchObject({ unknownStatuses: ['erledigt'], sums: {} });
  await answer({ 'word erledigt': 'approved' });
  expect(await readPreview()).toMatchObject({
    question: null,
    problems: [],
    summary: { sums: { EUR: 200 }, unknown: 0, reading: { timeZone: 'Europe/Berlin' } },
  });
  expect(await postChange(own, 'partners', { action: 'commit', upload: id })).toMatchObject({
    isError: false,
  });
  expect(await answer({ dates: 'month-first' })).toMatchObject({ isError: true });
  const next = await uploadText(text.replaceAll('1,2.00', '2,3.00'), { timeZone: [''], currency: [''] }, own);
  expect(await next.readPreview()).toMatchObject({ problems: [], summary: { sums: { EUR: 300 } } });
});

it.each([
  ['by ids of pages', 'Tracking ID', 'hub-20'],
  ['1 matched', 'Sub ID', SAMPLE_CLICK],
])('says of a report that it was imported: 1 row, %s', async (found, heading, id) => {
  const own = await createTestConsole({ now: () => NOW });
  await own.visitors.events.append(buildSampleVisit(SAMPLE_CLICK));
  const columns = `ASIN,Name,${heading},Date Shipped,Price($),Items Shipped,Returns,Revenue($),Ad Fees($)`;
  const csv = `${columns}\nB1,A book,${id},2025-11-18,20.00,2,0,40.00,1.80\n`;
  const { id: upload } = await uploadText(csv, {}, own);
  await postChange(own, 'partners', { action: 'answer-file', upload, 'is ASIN': 'id' });
  const { message } = await postChange(own, 'partners', { action: 'commit', upload });
  expect(message).toBe(`report.csv was imported: 1 row, ${found}.`);
});

it('lists a column that is not used, and asks about it no more', async () => {
  const text = 'id,Commission,Adjustment,Shop\n1,2.00,-0.50,x\n';
  const { own, id, readPreview } = await uploadText(text);
  expect((await readPreview())?.question?.columns).toMatchObject([{ header: 'Adjustment' }]);
  await postChange(own, 'partners', {
    action: 'answer-file',
    upload: id,
    'is Adjustment': 'not used',
  });
  const summary = { sums: { USD: 200 }, unused: ['Adjustment', 'Shop'], undated: 1 };
  expect(await readPreview()).toMatchObject({ problems: [], summary });
  await postChange(own, 'partners', { action: 'commit', upload: id });
  expect(await (await uploadText(text, {}, own)).readPreview()).toMatchObject({ problems: [], summary });
});

it('names the line of a row that was stored with others, and reads the decimal sign that was chosen', async () => {
  const text = 'Report\n\nid,amount,date\n1,1.234,2025-11-25\n';
  const { readPreview } = await uploadText(text, { decimal: [','] });
  expect(await readPreview()).toMatchObject({ summary: { sums: { USD: 123_400 } }, problems: [] });
  const { readPreview: readOther } = await uploadText(`${text}2,2.50,2025-11-25,9\n`, { decimal: ['.'] });
  expect((await readOther())?.problems).toEqual([expect.stringMatching(/^Line 5: it has more cells/)]);
});

it('asks what rows are that look like known commissions, and needs the file only once', async () => {
  const { own, id } = await uploadText('id,amount,date\n00123,2.00,2025-11-25\n');
  await postChange(own, 'partners', { action: 'commit', upload: id });
  const again = await uploadText('id,amount,date\n123,2.00,2025-11-25\n', {}, own);
  expect(await again.readPreview()).toMatchObject({ summary: { alike: 1 } });
  const answer = { action: 'answer-file', upload: again.id, alike: 'same' };
  expect(await postChange(own, 'partners', answer)).toMatchObject({ isError: false });
  expect(await again.readPreview()).toMatchObject({ problems: [], summary: { new: 0, unchanged: 1 } });
  expect(await postChange(own, 'partners', { action: 'commit', upload: again.id })).toMatchObject({
    isError: false,
  });
  expect(await postChange(own, 'partners', answer)).toMatchObject({ isError: true });
});

it('asks what rows are that repeat another one of their file', async () => {
  const { own, id, readPreview } = await uploadText('id,amount,date\n1,2.00,2025-11-25\n1,2.00,2025-11-25\n');
  const problems = ['Line 3: it repeats line 2: say whether it is the same commission or another one.'];
  expect(await readPreview()).toMatchObject({ summary: { repeated: 1 }, problems });
  for (const [repeated, sum] of [
    ['same', 200],
    ['other', 400],
  ] as const) {
    const answer = { action: 'answer-file', upload: id, repeated };
    expect(await postChange(own, 'partners', answer)).toMatchObject({ isError: false });
    expect(await readPreview()).toMatchObject({ summary: { sums: { USD: sum } }, problems: [] });
  }
});
