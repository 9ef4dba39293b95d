import type { RefusedPage } from '../console-page.ts';
import { Entrance } from './entrance.tsx';

/** Why a request was refused, with one way on. */
export function RefusalNote({ page: { siteName, title, message, link } }: { readonly page: RefusedPage }) {
  return (
    <Entrance siteName={siteName} title={title}>
      <p>{message}</p>
      {link && (
        <p>
          <a href={link.href}>{link.text}</a>
        </p>
      )}
    </Entrance>
  );
}
