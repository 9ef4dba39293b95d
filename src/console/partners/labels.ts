import { z } from 'zod';
import { Piece } from '../../content-files/edit/piece.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import { getBookedAmount } from '../../core/commissions/credit/commission-report.ts';
import { listLabelledItems, sumLabels } from '../../core/commissions/credit/labels.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { addDays, getLocalDay } from '../../core/commissions/local-time.ts';
import {
  buildMovedUses,
  listActiveUses,
  listLabels,
  MOVE_DAYS,
  proposeMoves,
} from '../../core/outbound/labels.ts';
import type { PartnerLabels } from '../../core/outbound/partner.schema.ts';

import type { Handlers, partnerActions } from '../actions.ts';
import { noteContentChange } from '../activity/note-activity.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { READ_ONLY_BUILD } from '../content/drafts.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { findSaveProblem, storeVersion } from '../content/note-saved.ts';
import { readSaving } from '../content/written-files.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { readSiteNames } from '../reports/site-pages.ts';

/** A partner that gives ids of its network to pages. */
type Labelled = { readonly key: string; readonly labels: PartnerLabels };

/** The moves that the site proposes from tomorrow on, each with the uses that make it. */
async function readMoves(site: ConsoleSite, { key, labels }: Labelled) {
  const { clock, settings, money } = site;
  const today = getLocalDay(clock.now(), settings.TIME_ZONE);
  // Links of today have carried the ids as they are.
  const since = addDays(today, 1);
  const groups = await money.rollups.readByKey({
    dimension: 'placement',
    from: addDays(today, -MOVE_DAYS),
    to: today,
    parts: [{ index: 2, value: key }],
  });
  const { pages } = readSiteNames(site);
  const clicks = new Map<string, number>();
  for (const {
    key: [page = ''],
    clicks: count,
  } of groups)
    if (pages.has(page)) clicks.set(page, (clicks.get(page) ?? 0) + count);
  const count = (list: readonly string[]) => list.reduce((sum, page) => sum + (clicks.get(page) ?? 0), 0);
  const moves = proposeMoves(labels, clicks, since).flatMap((move) => {
    const uses = buildMovedUses(labels, [move], since);
    const hash = hashText(JSON.stringify([key, since, move]));
    return uses === null ? [] : [{ ...move, uses, hash, before: count(move.from), after: count(move.to) }];
  });
  return { since, moves };
}

/** Reads what the ids of a partner stand for, what they have earned, and the moves that are proposed. */
export async function readPartnerLabels(site: ConsoleSite, partner: Labelled, query: ViewRequest['query']) {
  const period = await site.periods.readPeriod(query);
  const { currency } = period;
  const all = await site.periods.readLabelled(period, query);
  const entries = all.filter(({ commission }) => commission.currency === currency);
  const getAmount = ({ commission }: LedgerEntry) => getBookedAmount(commission);
  const { groups } = sumLabels(entries, getAmount);
  const { since, moves } = await readMoves(site, partner);
  const { labels } = partner;
  const today = addDays(since, -1);
  const active = listActiveUses(labels.uses, today);
  const ids = [...new Set([...listLabels(labels), ...groups.map(({ label }) => label)])];
  const sum = (label: string, get: (group: (typeof groups)[number]) => number) =>
    groups.reduce((all, group) => all + (group.label === label ? get(group) : 0), 0);
  return {
    partner: partner.key,
    currency,
    since,
    moves,
    rows: ids.map((id) => {
      const last = labels.uses.findLast((use) => use.id === id);
      return {
        id,
        /** Null for an id that no page has today. */
        use: active.find((use) => use.id === id && use.pages.length > 0) ?? null,
        /** Where it moves on a later day. */
        next: last !== undefined && last.since > today ? last : null,
        items: sum(id, ({ items }) => items),
        earned: sum(id, ({ byLabel, byShare, inGroup }) => byLabel + byShare + inGroup),
        /** Whether it is the affiliate id of the partner, which pages without another one have. */
        isOwn: !listLabels(labels).includes(id),
      };
    }),
    items: listLabelledItems(entries, getAmount),
    /** Why nothing can be written here; null: it can. */
    refusal: site.platform.content.files === null ? READ_ONLY_BUILD : null,
  };
}

const usesSchema = z.object({
  labels: z.looseObject({ uses: z.array(z.unknown()).default([]) }),
});

/** Moves an id of a network to other pages, in the file of its partner. */
export const runPartners: Handlers<typeof partnerActions.actions> = {
  async 'move-label'(site, { partner: key, move: hash }, { viewer, query }) {
    const location = `${buildConsoleAddress('partners', query)}#labels`;
    const refuse = (reason: string) => ({ location, message: `Nothing was moved: ${reason}`, isError: true });
    const { files } = site.platform.content;
    const labels = site.content.read().partners.get(key)?.labels;
    if (files === null) return refuse(READ_ONLY_BUILD);
    const { moves, since } = labels === undefined ? { moves: [] } : await readMoves(site, { key, labels });
    const move = moves.find((one) => one.hash === hash);
    if (labels === undefined || move === undefined) return refuse('this is not proposed any more.');
    const file = `partners/${key}.yaml`;
    const before = files.read(file);
    if ('problem' in before) return refuse(`content/${file} ${before.problem}.`);
    const uses = move.uses.map(({ id, since: day, pages, name, placement }) => ({
      id,
      since: day,
      pages,
      ...(name && { name }),
      ...(placement && { placement }),
    }));
    const piece = new Piece(file, before.text);
    const written = usesSchema.safeParse(piece.values).data?.labels;
    if (written?.uses.length !== labels.uses.length) return refuse(`content/${file} was changed meanwhile.`);
    const edited = piece.set({ labels: { ...written, uses: [...written.uses, ...uses] } });
    if ('problem' in edited) return refuse(`content/${file}: ${edited.problem}`);
    const change = { file, text: edited.text, opened: before.hash };
    const problem = findSaveProblem(files.saveTogether([change], readSaving(site)));
    if (problem !== null) return refuse(problem);
    const note = await storeVersion(site, file, { before, text: edited.text, viewer });
    const text = `From ${since} on, links of ${move.name || move.to.join(', ')} carry ${move.id}.`;
    await noteContentChange(site, viewer, [file], text, buildFileAddress(file));
    return { location, message: `${text}${note}`, isError: false, note: '' };
  },
};
