import type { EventFlag } from '../../core/events/site-event.ts';
import type { OutboundClick } from '../../core/outbound/build-outbound-url.ts';
import type { OutboundLink } from '../../core/outbound/link-query.ts';
import { isVisitKnown } from '../../core/outbound/visit.ts';

/** A request to the redirect that its page may repeat. */
interface RepeatedRequest {
  readonly link: OutboundLink;
  readonly click: OutboundClick;
  readonly flags: readonly EventFlag[];
}

/** Longest query that the page may repeat. */
const MAX_REPEATED_QUERY = 4096;

/**
 * Whether the page requests this redirect once more: always when it was prefetched, because that was not counted as a
 * click; and when the link carried nothing of the visit, which storage may have.
 */
export function planRepeat(
  path: string,
  query: string,
  { link, click, flags }: RepeatedRequest,
): { readonly repeatUrl: string | null; readonly isPrefetched: boolean } {
  const isPrefetched = flags.includes('prefetch');
  const isFinal =
    link.isRepeated ||
    query.length > MAX_REPEATED_QUERY ||
    (!isPrefetched && (isVisitKnown(link.visit) || click.gpc));
  if (isFinal) return { repeatUrl: null, isPrefetched: false };
  const parameters = new URLSearchParams(query);
  parameters.delete('stored');
  parameters.set('again', '1');
  // The click is stored already: requested again it is a duplicate, and the provider receives one click id.
  if (!isPrefetched) parameters.set('click', click.id);
  return { repeatUrl: `${path}?${parameters}`, isPrefetched };
}
