import { formatInstant, getLocalDay } from '../../core/commissions/local-time.ts';
import { hasDrafts, type Piece, type PlanRefusal, type PlanTime } from './piece.ts';

/** Adds what the fields of an update say to an article: the day of the last change, and a line of its log. */
export function noteUpdate(
  piece: Piece,
  { 'update-date': dated, 'update-text': words = '' }: Readonly<Record<string, string>>,
  { now, timeZone }: PlanTime,
): Piece | PlanRefusal {
  const text = words.trim();
  const date = getLocalDay(now, timeZone);
  const updates = piece.values?.['updates'];
  if (dated !== 'yes' && text === '') return piece;
  return piece.set({
    ...(dated === 'yes' && { updatedAt: date }),
    ...(text !== '' && { updates: [...(Array.isArray(updates) ? updates : []), { date, text }] }),
  });
}

/** Whether, when and where visitors see a piece. */
export const STATE_FIELDS = ['draft', 'publishedAt', 'unpublishAt', 'address'];

/** Gives an earlier text of a piece the state and the address that it has now. Texts that cannot be read stay as they are. */
export function keepState(piece: Piece, { values: now }: Piece): Piece | PlanRefusal {
  const { file, values } = piece;
  if (!hasDrafts(file) || values === null || now === null) return piece;
  // An article cannot have changed before it was published.
  const isEarlier = Date.parse(String(values['updatedAt'])) < Date.parse(String(now['publishedAt']));
  const changed = STATE_FIELDS.filter((key) => String(values[key]) !== String(now[key]));
  return piece.set({
    ...Object.fromEntries(changed.map((key) => [key, now[key]])),
    ...(isEarlier && { updatedAt: undefined }),
  });
}

/** What a piece is to become. `at`: a time of the site's time zone, `2026-03-12T09:00`. */
export type StateWish =
  | { readonly kind: 'publish'; readonly keepsDate: boolean }
  | { readonly kind: 'schedule'; readonly at: string }
  | { readonly kind: 'take-down' };

/** Changes the state of a piece. A draft that is published gets the day of its publication, unless it keeps its own. */
export function planState(
  piece: Piece,
  wish: StateWish,
  { now, timeZone }: PlanTime,
): { readonly piece: Piece; readonly message: string } | PlanRefusal {
  const { values } = piece;
  if (values === null) return { problem: 'The text cannot be read.' };
  const finish = (message: string, changed: Readonly<Record<string, unknown>>) => {
    const stated = piece.set(changed);
    return 'problem' in stated ? stated : { piece: stated, message };
  };
  if (wish.kind === 'take-down')
    return finish('Taken down: it is a draft now, and visitors do not see it any more.', { draft: true });
  const isArticle = piece.file.endsWith('.md');
  const before = Date.parse(String(values['publishedAt'] ?? ''));
  const setTime = (publishedAt: string) => {
    const updated = Date.parse(String(values['updatedAt'] ?? ''));
    // An article cannot have changed before it was published.
    const isEarlier = isArticle && updated < Date.parse(publishedAt);
    return { draft: undefined, publishedAt, ...(isEarlier && { updatedAt: undefined }) };
  };
  if (wish.kind === 'schedule') {
    const instant = formatInstant(wish.at, timeZone);
    if (instant === null)
      return { problem: `There is no such time in ${timeZone}: choose a day and a time.` };
    if (Date.parse(instant) <= now)
      return { problem: 'The time has passed: choose a later one, or publish now.' };
    return finish(`Scheduled for ${wish.at.replace('T', ', ')} (${timeZone}).`, setTime(instant));
  }
  const isKept = wish.keepsDate && before <= now;
  const isDated = isArticle && !isKept && (values['draft'] === true || before > now);
  const isUndated = !isArticle && before > now;
  return finish(
    'Published. Visitors see it now.',
    isDated
      ? setTime(new Date(now).toISOString().slice(0, 10))
      : { draft: undefined, ...(isUndated && { publishedAt: undefined }) },
  );
}
