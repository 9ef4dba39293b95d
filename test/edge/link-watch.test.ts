import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSiteFolder } from '../../src/commands/new.ts';
import { startLocalWorker } from '../../src/runtimes/cloudflare/tools/local-worker.ts';
import { Links } from '../../src/stores/links.ts';
import { Operators } from '../../src/stores/operators.ts';
import { D1Executor } from '../../src/stores/sql/d1-executor.ts';
import { createFolder } from '../support/create-folder.ts';
import { addOperator } from '../support/operators.ts';
import { findZoneAtNoon, startSmtpInbox } from '../support/smtp-inbox.ts';

const HOUR_MS = 3_600_000;
const PARTNER = 'https://www.example.com/pricing?ref=your-code';
const SOURCE = 'https://example.com/pricing';

it('checks links from the Cron Trigger, stores evidence in D1, and sends the alert and the digest', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const isGone = request.url?.includes('ref=your-code') === true;
    response.writeHead(isGone ? 404 : 200, { 'content-type': 'text/html' });
    response.end(request.url === '/robots.txt' ? '' : '<title>Price list</title><p>Basic $20, Full $40</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${Object(server.address()).port}`;
  const inbox = await startSmtpInbox();
  onTestFinished(() => inbox.close());
  const folder = createFolder();
  const contentDir = path.join(folder, 'content');
  createSiteFolder({ name: 'Desks', folder: contentDir, day: '2026-11-01' });
  const remove = (file: string, part: RegExp) => {
    const name = path.join(contentDir, file);
    writeFileSync(name, readFileSync(name, 'utf8').replace(part, ''));
  };
  // The built images are those of another site.
  remove('articles/how-we-choose.md', /^image:\n(?: {2}.*\n)+/m);
  // A run checks one link of each host.
  remove('partners/example.yaml', /^ {2}home: .*\n/m);
  const worker = await startLocalWorker({
    host: '127.0.0.1',
    port: 0,
    dataDir: folder,
    contentDir,
    settings: {
      LINK_WATCH: 'on',
      TEST_HOSTS: `www.example.com=${origin},example.com=${origin}`,
      SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
      MAIL_FROM: 'a@example.com',
      MAIL_TO: 'b@example.com',
      TIME_ZONE: findZoneAtNoon(),
    },
  });
  onTestFinished(() => worker.dispose());
  const links = new Links(new D1Executor(await worker.getD1Database('COMMISSIONS')));
  const operators = new Operators(new D1Executor(await worker.getD1Database('CONSOLE')));
  await addOperator(operators, { id: 'ana', name: 'Ana' });
  await operators.writePreferences({ digest: 'daily', weekStart: 'monday' });
  // A first failure, hours ago: the next one confirms it.
  const since = Date.now() - 5 * HOUR_MS;
  const reason = 'responds with status 404, seen once';
  await links.write({
    url: PARTNER,
    state: 'inconclusive',
    reason,
    since,
    checkedAt: since,
    dueAt: since + 1,
    misses: 1,
    missedSince: since,
    baseline: null,
    evidence: null,
    result: {
      outcome: 'failed',
      reason,
      hops: [],
      offer: null,
      finalHost: 'www.example.com',
      finalPath: '/pricing',
      parameterKept: null,
    },
  });
  await (await worker.getWorker()).scheduled({ cron: '* * * * *' });
  const known = await links.readAll();
  expect(known.get(PARTNER)).toMatchObject({ state: 'broken', reason: 'responds with status 404' });
  const evidence = known.get(SOURCE)?.evidence;
  expect(evidence?.offer.excerpt).toBe('Basic $20, Full $40');
  expect(await links.findChecks([evidence?.id ?? ''])).toMatchObject([{ url: SOURCE, state: 'healthy' }]);
  expect(requests).toEqual(expect.arrayContaining(['/pricing?ref=your-code', '/robots.txt', '/pricing']));
  const subjects = () => inbox.mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? '');
  await expect.poll(subjects, { timeout: 20_000 }).toHaveLength(2);
  expect(subjects().sort()).toEqual([
    expect.stringMatching(/^Desks: A link to Example Product is broken/),
    expect.stringMatching(/^Desks: \w+ \d+/),
  ]);
  const digest = inbox.mails.find(({ raw }) => raw.includes('What to do today'))?.raw ?? '';
  expect(digest.replaceAll('=\r\n', '')).toContain(
    'A link to Example Product is broken: responds with status 404.',
  );
});
