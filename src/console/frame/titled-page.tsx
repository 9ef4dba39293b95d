import type { SiteNames } from '../figures/site-names.ts';

/** A page by its title, with its path on hover; by its path when the site does not have it any more. */
export function TitledPage(props: { readonly names: Pick<SiteNames, 'pages'>; readonly page: string }) {
  const { names, page } = props;
  const title = names.pages.get(page);
  return title === undefined ? page : <span title={page}>{title}</span>;
}
