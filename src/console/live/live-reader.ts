import type { EventFeed } from '../../stores/event-feed.ts';
import { buildTable, buildTimeCell, type ExportTable, type ViewReader } from '../view-reader.ts';
import { buildLiveModel, LIVE_WINDOW_MINUTES, type LiveModel, MAX_LIVE_EVENTS } from './live-model.ts';

const MINUTE_MS = 60_000;

/** What happens now. */
export class LiveReader implements ViewReader<LiveModel> {
  readonly #feed: EventFeed;
  readonly #now: () => number;

  constructor(feed: EventFeed, now: () => number) {
    this.#feed = feed;
    this.#now = now;
  }

  async read(): Promise<LiveModel> {
    const now = this.#now();
    const since = now - LIVE_WINDOW_MINUTES * MINUTE_MS;
    const { events } = await this.#feed.readRecent({ since, limit: MAX_LIVE_EVENTS });
    return buildLiveModel(events, now);
  }

  async exportTable(): Promise<ExportTable> {
    const { rows } = await this.read();
    return buildTable(rows, {
      time: ({ time }) => buildTimeCell(time),
      event: ({ name }) => name,
      page: ({ page }) => page,
      partner: ({ partner }) => partner,
      placement: ({ placement }) => placement,
      detail: ({ detail }) => detail,
      campaign: ({ campaign }) => campaign,
    });
  }
}
