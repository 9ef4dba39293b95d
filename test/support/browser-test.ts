import { type BrowserContext, test as base, expect } from '@playwright/test';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import './loopback-only.mjs';
import { type Provider, startProvider } from './provider.ts';
import { namesRemovedSite, type Site, startSite } from './site.ts';

/** For tests that open a page that does not exist. */
export const NOT_FOUND: Tolerated = {
  patterns: [/status of 404/, /^404: no page at/],
  reason: 'the browser notes the status of the page itself, and the page logs the unknown path, as specified',
};

/** For tests that post a form without all its answers. */
export const UNFINISHED_FORM: Tolerated = {
  patterns: [/status of 422/],
  reason: 'the browser notes the status of the form, which the page explains',
};

/** For tests that change who has access to the console. */
export const ASKS_TO_CONFIRM: Tolerated = {
  patterns: [/status of 403/],
  reason: 'the browser notes the status of the page that asks for the password again',
};

/** For tests that open pages that do not exist, and the page that stands for one that fails. */
export const FAILED_PAGES: Tolerated = {
  patterns: [...NOT_FOUND.patterns, /status of 500/],
  reason: NOT_FOUND.reason,
};

/** What the pages of a test may report, because the test means to cause it; the reason says why that is right. */
export interface Tolerated {
  readonly patterns: readonly RegExp[];
  readonly reason: string;
}

interface TestFixtures {
  /** `test.use({ tolerated: { patterns, reason } })` */
  tolerated: Tolerated;
  /** Fails the test on any uncaught error, console error or CSP violation of any page it opens. */
  quietPages: undefined;
  /** Lets `fill` tell a form in Firefox what a paste tells it; Playwright sets the value, which React does not notice. */
  toldForms: undefined;
}

interface WorkerFixtures {
  /** The folder of the built site. */
  siteRoot: string;
  /** Where the links of all partners lead. Shared by the tests of a worker, which run one after the other. */
  provider: Provider;
  /** The built site with a store of its own. Shared like `provider`. */
  site: Site;
}

/** Playwright's `test` with the built site as base address: for tests that open no page and so need no browser. */
export const siteTest = base.extend<object, WorkerFixtures>({
  siteRoot: [ROOT, { option: true, scope: 'worker' }],
  provider: [
    async ({ browserName: _ }, use) => {
      const provider = await startProvider();
      await use(provider);
      await provider.stop();
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ provider, siteRoot }, use) => {
      const site = await startSite({ provider, root: siteRoot });
      await use(site);
      await site.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
});

/** The same with pages that may not complain. */
export const test = siteTest.extend<TestFixtures>({
  tolerated: [{ patterns: [], reason: 'pages are quiet' }, { option: true }],
  quietPages: [
    async ({ context, tolerated }, use) => {
      const complaints = await watchComplaints(context);
      await use(undefined);
      const unexpected = complaints.filter(
        (text) => !tolerated.patterns.some((pattern) => pattern.test(text)),
      );
      expect(unexpected, 'pages complain').toEqual([]);
    },
    { auto: true },
  ],
  toldForms: [
    async ({ context, browserName }, use) => {
      if (browserName === 'firefox') await context.addInitScript(insertByCommand);
      await use(undefined);
    },
    { auto: true },
  ],
});

export { expect };

/** Takes the place of the function by which Playwright puts a text into the element that has the focus. */
function insertByCommand(): void {
  Object.defineProperty(window, '__pw_bidiInsertText', {
    get: () => (text: string) => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLIFrameElement) return activeElement;
      document.execCommand('insertText', false, text);
      return undefined;
    },
    set: () => undefined,
  });
}

/** 0x804B0002, NS_BINDING_ABORTED. */
const isAbortedFont = (text: string): boolean =>
  text.includes('download failed (font-family:') && text.includes('status=2152398850');

/**
 * Collects what the pages of a context complain about from now on: uncaught errors, console errors, CSP violations. What
 * a page reports after its test has removed the site is left out: the page was still loading, and a script was cut. So
 * is a font whose page was left while it loaded, which Firefox reports with the status of an aborted request.
 */
async function watchComplaints(context: BrowserContext): Promise<readonly string[]> {
  const complaints: string[] = [];
  const add = (text: string, url = '') => {
    if (!namesRemovedSite(`${text} ${url}/`) && !isAbortedFont(text)) complaints.push(text);
  };
  context.on('weberror', (error) => add(`uncaught: ${error.error().message}`, error.page()?.url()));
  context.on('console', (message) => {
    if (message.type() === 'error')
      add(`${message.text()} (${message.location().url})`, message.page()?.url());
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`CSP violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return complaints;
}
