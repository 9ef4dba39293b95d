import path from 'node:path';
import { isNetworkFile } from '../../content-files/networks.ts';
import {
  describePayee,
  describePayeeValue,
  findPayeeChange,
  findPayeeFile,
  type PayeeChange,
} from '../../content-files/payee.ts';
import type { NotificationChannelName } from '../../core/console/notification.ts';
import { isExamplePartner } from '../../core/outbound/partner.ts';
import type { Content } from '../../core/pages/content.ts';
import { CONSOLE_PATH } from '../../core/paths.ts';
import type { Site } from '../../server/site.ts';
import { buildFileAddress } from '../content/file-address.ts';

/**
 * Watches who is paid for the links to partners, and what files of networks do with secrets, however it was changed. What the
 * site pays when there is an operator for the first time counts as confirmed. `listWays`: the ways in which alerts are sent.
 */
export function createPayeeWatch(site: Site, listWays: () => readonly NotificationChannelName[]) {
  const { accounts, notifications, activity } = site.operators;

  async function readOpen({ partners, networks }: Content) {
    const known = await accounts.readPayees();
    if (known === null) return { known, open: [] };
    // Nobody is paid by the placeholder of a new site.
    const open = [...partners.values()]
      .filter((one) => !isExamplePartner(one))
      .flatMap((partner) => findPayeeChange(partner, known.confirmed.get(partner.key)) ?? []);
    return { known, open: [...open, ...(await site.money.secrets.listUnconfirmed(networks))] };
  }

  async function tell(operator: string): Promise<void> {
    const content = site.content.read();
    const { known, open } = await readOpen(content);
    if (known === null) {
      // Without an operator, nobody can confirm anything.
      if (!accounts.exists()) return;
      const confirmed = new Map([...content.partners].map(([key, partner]) => [key, describePayee(partner)]));
      await accounts.writePayees({ revision: 0, confirmed, told: new Map() });
      return;
    }
    const told = new Map(open.map(({ partner, hash }) => [partner, hash]));
    const news = open.filter(({ partner, hash }) => known.told.get(partner) !== hash);
    if (news.length === 0 && told.size === known.told.size) return;
    const ways = listWays();
    // Before it counts as told: after a crash in between, the outbox knows it by its id.
    for (const change of ways.length === 0 ? [] : news)
      await notifications.add(buildNotification(site, change, operator, known.revision), ways);
    if (!(await accounts.writePayees({ ...known, told }))) return;
    for (const change of news) {
      const text = `${change.what} has changed: ${change.values.map(describePayeeValue).join(', ')}.`;
      const href = buildFileAddress(findPayeeFile(change));
      await activity.add({ time: site.clock.now(), operator, subject: 'content', text, href });
    }
  }

  let last = Promise.resolve();
  return {
    /** The changes in a state of the content that no operator has confirmed, in the order of the partners. */
    readUnconfirmed: async (content: Content): Promise<readonly PayeeChange[]> =>
      (await readOpen(content)).open,
    /**
     * Tells of each change once: in the log of changes, and by the ways of the alerts. `operator`: the name of who has made it,
     * empty when that is not known. Rejects with the errors of the stores.
     */
    tell(operator: string): Promise<void> {
      const telling = last.then(() => tell(operator));
      last = telling.catch(() => undefined);
      return telling;
    },
    /** Confirms the change of a partner or network as it is now; null when a hash is given and it is another one by now. */
    async confirm(partner: string, hash?: string): Promise<PayeeChange | null> {
      const content = site.content.read();
      const { known, open } = await readOpen(content);
      const change = open.find((one) => one.partner === partner && (hash ?? one.hash) === one.hash);
      const network = content.networks.get(path.basename(partner));
      if (change !== undefined && network !== undefined && isNetworkFile(partner)) {
        await site.money.secrets.confirm(path.basename(partner), network);
        return change;
      }
      const shown = content.partners.get(partner);
      if (known === null || change === undefined || shown === undefined) return null;
      const confirmed = new Map(known.confirmed).set(partner, describePayee(shown));
      const told = new Map([...known.told].filter(([key]) => key !== partner));
      return (await accounts.writePayees({ ...known, confirmed, told })) ? change : null;
    },
  };
}

/** What watches who is paid. */
export type PayeeWatch = ReturnType<typeof createPayeeWatch>;

function buildNotification(
  site: Site,
  { partner, what, values, hash }: PayeeChange,
  operator: string,
  revision: number,
) {
  const title = `${what} has changed.`;
  const detail = values.map(describePayeeValue).join('\n');
  const by = operator === '' ? '' : `\n\nChanged in the console by ${operator}.`;
  const createdAt = site.clock.now();
  return {
    id: `payee:${partner}:${hash}:${revision}`,
    kind: 'alert' as const,
    subject: `${site.content.read().site.name}: ${title}`,
    text: `${title}\n\n${detail}${by}\n\nConfirm it, or put it back: ${site.settings.siteUrl}${CONSOLE_PATH}/content`,
    html: null,
    replyTo: null,
    fields: {
      key: `payee:${partner}`,
      state: 'open',
      title,
      detail,
      view: 'content',
      since: createdAt,
    },
    createdAt,
  };
}
