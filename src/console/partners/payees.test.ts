import { beforeEach, expect, it } from 'vitest';
import {
  buildPartner,
  buildViewRequest,
  createTestConsole,
  postForm,
} from '../../../test/support/console-ledger.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { describePayee } from '../../content-files/payee.ts';
import type { Capability } from '../../core/console/capabilities.ts';
import { labelsSchema } from '../../core/outbound/partner.schema.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { createConsole, createConsoleSite } from '../console.ts';
import type { ConsoleSite } from '../console-site.ts';
import { listContentTasks } from '../content/tasks.ts';
import { readOverviewWithTasks } from '../overview/tasks.ts';

const PARTNER = buildPartner('kit', { name: 'Kit', affiliate: { parameter: 'ref', value: 'us' } });
const THIEF = { ...PARTNER, affiliate: { parameter: 'ref', value: 'thief' } };

let site: ConsoleSite;
let partners: ReadonlyMap<string, Partner>;
const show = (...shown: Partner[]) => {
  partners = new Map(shown.map((partner) => [partner.key, partner]));
};
beforeEach(async () => {
  show(PARTNER);
  const settings = { ALERT_WEBHOOK_URL: 'https://hooks.example/alert', WEBHOOK_KEY: 'k'.repeat(32) };
  const created = await createTestConsole({ settings });
  const content = created.content.read();
  site = createConsoleSite({
    ...created,
    content: { ...created.content, read: () => ({ ...content, partners }) },
  });
  await addOperator(site.operators.accounts, { id: 'ada', name: 'Ada' });
  await site.payees.tell('');
});

const readTold = async () => ({
  log: (await site.operators.activity.read(null, { limit: 9, offset: 0 })).map(
    ({ operator, text }) => `${operator}: ${text}`,
  ),
  open: (await site.payees.readUnconfirmed(site.content.read())).map(({ partner }) => partner),
});
/** The alerts that wait, the first first. */
async function takeAlerts() {
  const found = [];
  for (;;) {
    const claimed = await site.operators.notifications.claim(Date.now() + 1e9, 1_000);
    if (claimed === null) return found;
    found.push(claimed.notification.text);
  }
}

it('confirms what is paid when there is an operator for the first time', async () => {
  expect(await readTold()).toEqual({ log: [], open: [] });
  expect(await takeAlerts()).toEqual([]);
});

it('counts ids in the place of the affiliate id among what decides who is paid', () => {
  const labels = { ...labelsSchema.parse({ pool: ['a-20', 'b-20'] }), parameter: 'ref' };
  expect(describePayee({ ...PARTNER, labels })).toMatchObject({
    'labels.a-20': 'ref=a-20',
    'labels.b-20': 'ref=b-20',
  });
});

const region = (url: string) => new Map([['DE', new Map([['pricing', url]])]]);
it.each<[string, Partial<Partner>, string]>([
  ['its id', { affiliate: { parameter: 'ref', value: 'thief' } }, 'affiliate: ref=us → ref=thief'],
  ['its parameter', { affiliate: { parameter: 'via', value: 'us' } }, 'affiliate: ref=us → via=us'],
  ['no id', { affiliate: null }, 'affiliate: ref=us → none'],
  [
    'a destination',
    { destinations: new Map([...PARTNER.destinations, ['pricing', 'https://thief.example/']]) },
    'destinations.pricing: https://example.com/pricing → https://thief.example/',
  ],
  [
    'a destination more',
    { destinations: new Map([...PARTNER.destinations, ['constructor', 'https://thief.example/']]) },
    'destinations.constructor: none → https://thief.example/',
  ],
  [
    'a region',
    { regions: region('https://thief.example/') },
    'regions.DE.pricing: none → https://thief.example/',
  ],
])('tells once of another partner with %s, and no more when it is put back', async (_, change, said) => {
  show({ ...PARTNER, ...change });
  await Promise.all([site.payees.tell('Eve'), site.payees.tell('')]);
  await site.payees.tell('');
  const text = `Who is paid for links to Kit has changed: ${said}.`;
  expect(await readTold()).toEqual({ log: [`Eve: ${text}`], open: ['kit'] });
  const [alert, ...more] = await takeAlerts();
  expect([alert?.includes(said), alert?.includes('by Eve'), more]).toEqual([true, true, []]);
  show(PARTNER);
  await site.payees.tell('');
  expect(await readTold()).toMatchObject({ log: [`Eve: ${text}`], open: [] });
  show({ ...PARTNER, ...change });
  await site.payees.tell('');
  expect((await readTold()).log).toEqual([`: ${text}`, `Eve: ${text}`]);
});

it('tells nothing of what pays nobody else, and of a partner that is gone', async () => {
  show({ ...PARTNER, name: 'Another', campaign: 'spring', trialPath: '/kit-trial' });
  await site.payees.tell('Eve');
  show();
  await site.payees.tell('Eve');
  expect(await readTold()).toEqual({ log: [], open: [] });
});

it.each(['kit', 'constructor'])('tells of a new partner %s', async (key) => {
  show(PARTNER, buildPartner(key === 'kit' ? 'new' : key));
  await site.payees.tell('');
  expect((await readTold()).open).toEqual([key === 'kit' ? 'new' : key]);
});

const confirm = (hash: string, partner = 'kit') =>
  postForm(site, 'content', { action: 'confirm-payee', partner, hash }, buildViewRequest());

it('is confirmed as it is, and not as it was when it was looked at', async () => {
  show(THIEF);
  await site.payees.tell('');
  const [seen] = await site.payees.readUnconfirmed(site.content.read());
  show({ ...THIEF, affiliate: { parameter: 'ref', value: 'other' } });
  for (const hash of [seen?.hash ?? '', '', 'constructor'])
    expect(await confirm(hash)).toMatchObject({ isError: true });
  const [now] = await site.payees.readUnconfirmed(site.content.read());
  expect(await confirm(now?.hash ?? '', 'constructor')).toMatchObject({ isError: true });
  expect(await confirm(now?.hash ?? '')).toMatchObject({
    isError: false,
    message: 'Confirmed who is paid for links to Kit.',
  });
  expect((await readTold()).open).toEqual([]);
  show(PARTNER);
  await site.payees.tell('');
  expect((await readTold()).open).toEqual(['kit']);
});

it('is a task for operators who may manage, on the overview and in the content', async () => {
  show(THIEF);
  const [task] = (await listContentTasks(site)).filter(({ kind }) => kind === 'payee');
  expect(task).toMatchObject({ text: 'Who is paid for links to Kit has changed.' });
  expect(task?.detail).toContain('ref=us → ref=thief');
  const capabilities: readonly Capability[] = ['money', 'content', 'publish'];
  const viewer = { kind: 'operator', id: 'eve', name: 'Eve', capabilities } as const;
  const { tasks } = await readOverviewWithTasks(site, { ...buildViewRequest(), viewer });
  expect(tasks?.open.filter(({ kind }) => kind === 'payee')).toEqual([]);
  const all = await readOverviewWithTasks(site, buildViewRequest());
  expect(all.tasks?.open.filter(({ kind }) => kind === 'payee')).toHaveLength(1);
});

it('is told with the operator whose form has changed it, and without one when it was changed before', async () => {
  const { articles } = site.content;
  show(THIEF);
  Object.assign(articles, {
    async acceptDeletions() {
      show({ ...THIEF, affiliate: { parameter: 'ref', value: 'other' } });
      return 1;
    },
  });
  await postForm(site, 'content', { action: 'accept-deletions' }, buildViewRequest());
  const { log } = await readTold();
  expect(log.map((line) => line.split(' has changed: ')[0])).toEqual([
    'Ada: The deletion of 1 article was accepted. What the source still does not have is removed when it is read next.',
    'Ada: Who is paid for links to Kit',
    ': Who is paid for links to Kit',
  ]);
});

it('is told by the jobs of the console when a file was changed in a shell', async () => {
  show(THIEF);
  const console = createConsole(site);
  await console.runDueJobs();
  await console.runDueJobs();
  await console.close();
  expect((await readTold()).log).toHaveLength(1);
});

it('is told again when the outbox could not take it', async () => {
  show(THIEF);
  const { notifications } = site.operators;
  const add = notifications.add.bind(notifications);
  notifications.add = () => Promise.reject(new Error('full'));
  await expect(site.payees.tell('Eve')).rejects.toThrow('full');
  notifications.add = add;
  await site.payees.tell('');
  expect(await takeAlerts()).toHaveLength(1);
});
