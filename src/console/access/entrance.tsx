import type { ReactNode } from 'react';

/** The frame of pages outside the views: sign-in, setup, refusals. */
export function Entrance({
  siteName,
  title,
  children,
}: {
  readonly siteName: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <main id="main" className="entrance" tabIndex={-1}>
      <p className="entrance-site">{siteName} console</p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}

/** A sentence about what went wrong; nothing without one. */
export function EntranceError({ error }: { readonly error: string | null }) {
  return error === null ? null : (
    <p className="entrance-error" role="alert">
      {error}
    </p>
  );
}
