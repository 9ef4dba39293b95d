import type { BesideConfig, LinkAnswer } from '../../core/outbound/beside.schema.ts';

/*
 * `/beside.js`: counts the views of a listed site, and leads clicks on its paid links through our redirect while the server
 * answers within 300 ms; otherwise a link does what it does without the script, and is counted if an answer still comes.
 */

/** The server puts the values here. */
declare const besideConfig: BesideConfig;

const [origin, api, hosts, prefixes, storage] = besideConfig;
const KEY = 'signpost';
const gpc = navigator.globalPrivacyControl;
/** As `decideStorageMode`, in fewer bytes and strict on all of the Atlantic: a test compares the two. */
const isFree =
  gpc ||
  (storage &&
    (storage < 'b' ||
      /^(?!\w+\/)|^E[ut]|^A[rt]|Fam|Nic|Ceu|Caye|Guade|Mari?[gt]|Mayo|Reun/.test(
        `${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
      )));

const post = (path: string, body?: string) => {
  fetch(origin + path, { method: 'POST', mode: 'no-cors', keepalive: true, body: body as string }).catch(
    (error) => error,
  );
};

/** Parameters of a campaign: `utm_…`, and ids of ads. */
const CAMPAIGN =
  /^(utm_\w+|(li_fat|campaign|ad(_group)?)_id|epik|ScCid|rdt_cid|\w*clk?id|gad_source|[gw]braid)$/;

/** The path, and the parameter by which a WordPress with plain addresses names a page. */
const readPage = () => `${location.pathname}${/^\?p[age_id]*=\d+/.exec(location.search) ?? ''}`;

/** First page of the visit and the site before it, and the campaign. Under Global Privacy Control, only the last. */
let first: { entry_page?: string; referrer?: string } = {};
let campaign: Record<string, string> = {};
let isArrival: boolean | undefined;

const readVisit = () => {
  const own: Record<string, string> = {};
  let ad = '';
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (!CAMPAIGN.test(name)) continue;
    if (isFree && name[0] !== 'u') ad = `(${name})`;
    else own[name] ||= value.slice(0, 256);
  }
  if (ad && !own['utm_source']) own['utm_campaign'] ||= ad;
  const referrer = document.referrer.split('/', 3).join('/') || 'direct';
  const stored = !isFree && JSON.parse(sessionStorage[KEY] ?? '0');
  // `performance.navigation` is older than its replacement, and shorter: 1 and 2 are a reload and a way back.
  isArrival = isFree ? referrer !== location.origin && !performance.navigation.type : !stored;
  if (isArrival && !gpc) first = { referrer, entry_page: readPage() };
  if (stored) [first, campaign] = stored;
  if (Object.keys(own)[0]) campaign = own;
  if (!isFree) sessionStorage[KEY] = JSON.stringify([first, campaign]);
};

const view = () => {
  const event = {
    id: crypto.randomUUID(),
    name: 'page_view',
    page: readPage(),
    time: Date.now(),
    campaign,
    data: isArrival ? { entry: true, referrer: first.referrer } : {},
    free: isFree || undefined,
  };
  isArrival = false;
  post(api, JSON.stringify({ events: [event] }));
};

/** The paid link that an event is on, and whose it is. */
const findLink = (target: EventTarget | null): [HTMLAnchorElement, kind: string] | undefined => {
  const link = (target as Element)?.closest?.<HTMLAnchorElement>('a[href]');
  const kind = !link
    ? ''
    : link.origin === origin
      ? 'ours'
      : hosts.includes(link.host)
        ? 'own'
        : link.host === location.host && prefixes.some((start) => link.pathname.startsWith(start))
          ? 'cloaked'
          : '';
  return kind ? [link as HTMLAnchorElement, kind] : undefined;
};

/** What was asked of a link. The id is that of a click: two clicks within seconds are one. */
interface Asked {
  readonly time: number;
  readonly id: string;
  /** What the server says, whenever that is. A proxy's answer may be any JSON. */
  readonly data: Promise<LinkAnswer | null>;
  /** What it has said within 300 ms. */
  readonly done: Promise<LinkAnswer>;
  answer?: LinkAnswer;
}
const asked: Record<string, Asked> = {};

/** Asks the server where a link leads, at most every two seconds. */
const ask = (href: string) => {
  const time = Date.now();
  let entry = asked[href];
  if (!entry || time > entry.time + 2_000) {
    const data = fetch(`${origin}${api}?${new URLSearchParams({ link: href })}`)
      // What is said of a failure names no link.
      .then((response) => response.json())
      // An error names no link either.
      .catch((error) => error);
    const done = new Promise<LinkAnswer | null | undefined>((resolve) => {
      void data.then(resolve);
      setTimeout(resolve, 300);
    }).then((answer) => ((entry as Asked).answer = answer || {}));
    asked[href] = entry = { id: crypto.randomUUID(), time, data, done };
  }
  return entry;
};

let isSeen: boolean | undefined;

/** Leads a click. `early`: it came before this script, and only its link is known (`PerformanceEventTiming`). */
const click = (event: MouseEvent, early?: unknown) => {
  const [link, kind] = findLink(event.target) ?? [];
  if (early ? isSeen : event.button > 1) return;
  isSeen = true;
  if (!link) return;
  const { href, target } = link;
  const { answer, data, done, id } = ask(href);
  const facts = new URLSearchParams({
    ...(isFree ? { free: '1' } : { click: id }),
    from: location.host + readPage(),
    source: (link.closest('aside,body,footer,figure,nav,table,header,main') as Element).localName,
    position: `${kind}-${[...document.links].filter(findLink).indexOf(link) + 1}`,
    ...campaign,
    ...first,
  });
  /** Where the click leads: the address in the page where the server has said nothing else. */
  const follow = ({ go }: LinkAnswer) => {
    if (go && !(early && (target || document.hidden))) return `${origin}${go}&${facts}`;
    data.then((late) => {
      if (late?.count) post(`${late.count}&${facts}`);
    });
    return href;
  };
  let tab: Window = self;
  if (!early) {
    // A plugin that opens its links itself would open a second page, and pass by the redirect.
    if (kind === 'cloaked' && (!answer || answer.go)) event.stopImmediatePropagation();
    if (answer) {
      const text = link.getAttribute('href') as string;
      link.href = follow(answer);
      // A copied link carries nothing.
      setTimeout(() => link.setAttribute('href', text));
      return;
    }
    event.preventDefault();
    // Where the browser opens no tab, the visitor arrives in this one.
    tab =
      open(
        '',
        event.button || event.ctrlKey || event.metaKey || event.shiftKey ? '_blank' : target || '_self',
      ) ?? tab;
    if (tab !== self) tab.opener = null;
  }
  done.then((found) => {
    const address = follow(found);
    if (!early || address !== href) tab.location.href = address;
  });
};

const start = () => {
  try {
    readVisit();
  } catch {
    // Storage is denied.
  }
  view();
};

if (!(KEY in window)) {
  (window as unknown as Record<string, unknown>)[KEY] = 1;
  for (const type of ['pointerover', 'focusin', 'pointerdown'])
    addEventListener(
      type,
      (event) => {
        const [link] = findLink(event.target) ?? [];
        if (link) ask(link.href);
      },
      true,
    );
  if (performance.eventCounts?.get('click'))
    new PerformanceObserver((list) => click(list.getEntries()[0] as never, true)).observe({
      type: 'first-input',
      buffered: true,
    });
  addEventListener('click', click, true);
  addEventListener('auxclick', click, true);
  addEventListener('pageshow', (event) => event.persisted && view());
  if (document.prerendering) document.addEventListener('prerenderingchange', start);
  else start();
}
