import { createSite, type Site } from '../../server/site.ts';
import type { ConsoleSite } from '../console-site.ts';

/** The made-up data that an operator looks at, over the operators and the content of the site. */
export class SampleSite {
  readonly #open: (madeUp: Site) => ConsoleSite;
  #shown: Promise<ConsoleSite> | null = null;

  /** `open` adds to a site what the console needs. */
  constructor(open: (madeUp: Site) => ConsoleSite) {
    this.#open = open;
  }

  /** The site as operators see it: with the made-up data while there are some. */
  async show(site: ConsoleSite): Promise<ConsoleSite> {
    const { sample } = site.platform;
    if (sample === undefined || !sample.isMade()) return site;
    this.#shown ??= this.#begin(sample.open());
    const made = await this.#shown;
    const { operators, sessions, hasher, limits, signingKey, content, previews, moveIn } = site;
    const own = { operators, sessions, hasher, limits, signingKey, content, previews, moveIn };
    return { ...made, ...own, platform: { ...site.platform, isSample: true }, isLookingAround: true };
  }

  async #begin({ settings, platform }: ReturnType<NonNullable<Site['platform']['sample']>['open']>) {
    return this.#open(await createSite(settings, platform));
  }

  /** Ends what `show` began, and removes the data. */
  async end({ platform: { sample } }: ConsoleSite): Promise<void> {
    const shown = this.#shown;
    this.#shown = null;
    await (await shown)?.close(0);
    sample?.remove();
  }
}
