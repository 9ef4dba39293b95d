/** The site's icons by name, each with the name of its Lucide drawing. */
export const ICON_SOURCES: Readonly<Record<string, string>> = {
  alert: 'triangle-alert',
  'arrow-left': 'arrow-left',
  'arrow-right': 'arrow-right',
  check: 'check',
  'chevron-down': 'chevron-down',
  link: 'link',
  menu: 'menu',
  minus: 'minus',
  play: 'play',
  plus: 'plus',
  printer: 'printer',
  refresh: 'refresh-cw',
  search: 'search',
  share: 'share-2',
  x: 'x',
};
