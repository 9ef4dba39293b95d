import type { ReactNode } from 'react';
import type { ConsoleFrame } from '../core/console/console-page.ts';

/** What is around every view: navigation, notice, title. */
export function Frame({ frame, children }: { readonly frame: ConsoleFrame; readonly children: ReactNode }) {
  const { siteName, navigation, view, title, notice, problems } = frame;
  return (
    <div className="console">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <nav aria-label="Console">
        <p>{siteName}</p>
        <ul>
          {navigation.map((link) => (
            <li key={link.view}>
              <a href={link.href} aria-current={link.view === view ? 'page' : undefined}>
                {link.name}
                {link.count === null ? null : ` (${link.count})`}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" tabIndex={-1}>
        <h1>{title}</h1>
        {notice && <p role={notice.isError ? 'alert' : 'status'}>{notice.message}</p>}
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
        {children}
      </main>
    </div>
  );
}
