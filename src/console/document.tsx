import { AccessPage, RefusalNote, SetupForm, SignInForm } from './access/pages.tsx';
import type { ConsolePage } from './console-page.ts';
import { Frame } from './frame/frame.tsx';

/** Everything in the body of a page of the console. */
export function ConsoleDocument({ page }: { readonly page: ConsolePage }) {
  switch (page.kind) {
    case 'view':
      return <Frame frame={page.frame}>{page.content}</Frame>;
    case 'sign-in':
      return <SignInForm page={page} />;
    case 'setup':
      return <SetupForm page={page} />;
    case 'refused':
      return <RefusalNote page={page} />;
    case 'reload':
      return (
        <AccessPage siteName={page.siteName} title="Opening the console">
          <p>
            <a href={page.href}>Open it now</a>
          </p>
        </AccessPage>
      );
  }
}

/** A page is for one operator alone: the renderer keeps no rendering of it. */
ConsoleDocument.isPrivate = true;

/** The title of a page, for the tab of the browser. */
export function buildConsoleTitle(page: ConsolePage): string {
  switch (page.kind) {
    case 'view':
      return `${page.frame.title} · ${page.frame.siteName}`;
    case 'sign-in':
      return `Sign in · ${page.siteName}`;
    case 'setup':
      return `Set up · ${page.siteName}`;
    case 'refused':
      return `${page.title} · ${page.siteName}`;
    case 'reload':
      return page.siteName;
  }
}
