import { CAMPAIGN_PARAMETERS } from '../events/campaign.ts';
import {
  ANSWERS_KEY,
  ATTRIBUTION_KEY,
  CONSENT_KEY,
  COPY_KEY,
  COPY_LIFETIME_MS,
  JOURNEY_KEY,
  OUTBOX_DROPPED_KEY,
  OUTBOX_PAUSE_KEY,
  OUTBOX_PREFIX,
  type StorageArea,
  type StorageKey,
} from './storage-keys.ts';

/** One entry of the browser's storage, as the privacy page describes it. */
interface StoredItem {
  /** The key, or its beginning when it ends in `:`. */
  readonly key: StorageKey;
  readonly area: StorageArea;
  readonly content: string;
  readonly lifetime: string;
}

const TAB = 'until the tab is closed';
const COPY = `expires ${COPY_LIFETIME_MS / 60_000} minutes after the last page or click, and is replaced by the next page you open`;

/** Everything that the site stores in a browser. A browser test compares it with what a visit really stores. */
export const STORED_ITEMS: readonly StoredItem[] = [
  {
    key: ATTRIBUTION_KEY,
    area: 'session',
    content:
      `the campaign parameters of the address you came by (${CAMPAIGN_PARAMETERS.map((name) => `\`${name}\``).join(', ')}), ` +
      'those of a later address if it has others (`last`), and a random number for the session (`session`)',
    lifetime: TAB,
  },
  {
    key: JOURNEY_KEY,
    area: 'session',
    content:
      'the first page and when you opened it, the pages since, the time spent, the page you came from, ' +
      'your browser’s name, the figures you typed into a savings calculator, ' +
      'and which assessment answers have been sent',
    lifetime: TAB,
  },
  {
    key: ANSWERS_KEY,
    area: 'session',
    content: 'your answers, if you take the assessment',
    lifetime: `${TAB}, or you retake the assessment`,
  },
  {
    key: COPY_KEY,
    area: 'local',
    content: `a copy of \`${ATTRIBUTION_KEY}\` and \`${JOURNEY_KEY}\`, so that a page you open in a new tab belongs to the same visit`,
    lifetime: COPY,
  },
  {
    key: OUTBOX_PREFIX,
    area: 'local',
    content:
      'an event that our server has not received yet, for example because you are offline; one entry each',
    lifetime: 'until our server has stored it',
  },
  {
    key: OUTBOX_PAUSE_KEY,
    area: 'local',
    content: 'the time before which nothing is sent again',
    lifetime: 'ten minutes at most; deleted when the network is back',
  },
  {
    key: OUTBOX_DROPPED_KEY,
    area: 'local',
    content: 'how many events could not be sent',
    lifetime: 'until the next page you open',
  },
  {
    key: CONSENT_KEY,
    area: 'local',
    content: 'your answer to the question about Google Analytics, where this site asks it',
    lifetime: 'until you clear the site’s data',
  },
];

/** Builds the Markdown table of everything that the site stores in a browser. */
export function buildStorageTable(): string {
  const rows = STORED_ITEMS.map(({ key, area, content, lifetime }) => {
    const name = key === OUTBOX_PREFIX ? `${key}…` : key;
    return `| \`${name}\` | ${area} storage | ${content} | ${lifetime} |`;
  });
  return ['| Key | Where | What | How long |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
