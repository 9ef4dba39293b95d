import type { Content } from '../core/pages/content.ts';
import { createArticles } from './articles/articles.ts';
import { createAssessments } from './assessment/assessment-page.ts';
import { createCommissions } from './commissions/commissions.ts';
import { createContact } from './contact/contact.ts';
import { createEvents } from './events/events.ts';
import type { Log } from './log.ts';
import { createGo } from './outbound/create-outbound.ts';
import type { Platform } from './platform.ts';
import type { Settings } from './settings.ts';

/** What every feature is created from. */
export interface FeaturesOptions {
  readonly settings: Settings;
  readonly content: Content;
  readonly platform: Platform;
  readonly log: Log;
}

/** The features that visitors and networks use, without the back office. */
export type Features = Awaited<ReturnType<typeof createFeatures>>;

/** Creates the features over the runtime. Rejects with `ArticleFilesError` when an article file is invalid. */
export async function createFeatures(options: FeaturesOptions) {
  const { settings, content, platform, log } = options;
  const { clock } = platform;
  const events = createEvents(options);
  const { database, fastStore, readTrustedTime } = events;
  const assessments = createAssessments({ events, content, platform, clock, log });
  const contact = createContact({ settings, content, events, platform });
  const go = createGo({ settings, content, store: fastStore, platform, clock, log });
  const commissions = createCommissions({
    ...options,
    events: database,
    readTrustedTime,
    runsJobs: !platform.hasOfficeThread,
  });
  const articles = await createArticles(options);
  const readProblems = async (): Promise<readonly string[]> => {
    const reason = await events.store.probe();
    return [...(reason === null ? [] : [reason]), ...articles.readProblems()];
  };
  return { events, assessments, contact, go, commissions, articles, readProblems };
}
