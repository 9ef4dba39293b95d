import { type FieldPath, isObject, setAt } from '../core/console/form-fields.ts';

/** A field that stands open in the form of a kind. `*` in its path is the key of the first entry there, or `shop`. */
export interface FirstField {
  readonly at: string;
  readonly label?: string;
  readonly help?: string;
  /** A button that sets today, and says that the page was opened. */
  readonly isLookedAt?: boolean;
  /** What is offered beside a text of one's own. */
  readonly choices?: readonly { readonly value: string; readonly name: string; readonly kind: string }[];
  /** The color without one. */
  readonly shipped?: string;
}

/** How the form of a kind of file looks: its fields, their order and their words; the schema has the rest. */
interface FormKind {
  /** What stands open; without it, all that the file has. */
  readonly first: readonly FirstField[];
  /** Further fields below one name, folded. Those that are named nowhere come last. */
  readonly folded: readonly { readonly name: string; readonly keys: readonly string[] }[];
  /** What is written somewhere else on the page: the title of an article, the state of a piece. */
  readonly elsewhere?: readonly string[];
  /** The value with entries of which `first` has fields, which the file may lack. */
  readonly prepare?: (value: FormValue) => FormValue;
  /** What a change brings along, such as the source of a price. */
  readonly complete?: (value: FormValue, named: Named) => FormValue;
}

export type FormValue = Readonly<Record<string, unknown>>;
/** What the site has, by kind: `partner` has the key and the name of each. */
type Named = Readonly<Record<string, readonly { readonly value: string; readonly name: string }[]>>;

const read = (value: unknown, ...path: FieldPath): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value);

/** The key of the offer that the short form of a product shows. */
const findOffer = (value: FormValue) => Object.keys(Object(value['offers']))[0] ?? 'shop';
/** The source of that offer; one without a source gets one of its own. */
const findSource = (value: FormValue) => {
  const offer = findOffer(value);
  return String(read(value, 'offers', offer, 'source') ?? offer);
};

/** A price has a source, and a source is that of a price. */
function completeProduct(value: FormValue, { partner: shops = [] }: Named): FormValue {
  const [offer, source] = [findOffer(value), findSource(value)];
  const set = (changed: FormValue, path: FieldPath, next: unknown) => Object(setAt(changed, path, next));
  const fill = (changed: FormValue, path: FieldPath, next: unknown) =>
    read(changed, ...path) === undefined ? set(changed, path, next) : changed;
  let next = value;
  const hasPrice = read(value, 'offers', offer, 'price') !== undefined;
  if (hasPrice) next = fill(next, ['offers', offer, 'source'], source);
  else if (read(value, 'offers', offer, 'source') !== undefined)
    next = set(next, ['offers', offer, 'source'], undefined);
  if (isObject(read(next, 'offers', offer))) {
    const named = shops.find((one) => one.value === read(next, 'offers', offer, 'partner'));
    const before = read(next, 'offers', offer, 'name');
    // Another name than that of a shop was given by the operator.
    const isShop = before === undefined || shops.some(({ name }) => name === before);
    if (named !== undefined && isShop) next = set(next, ['offers', offer, 'name'], named.name);
    next = fill(next, ['offers', offer, 'billed'], next['kind'] === 'software' ? 'monthly' : 'once');
  }
  const { title, ...rest } = Object(read(next, 'sources', source));
  const isEmpty = Object.values(rest).every((one) => one === undefined || one === null);
  if (hasPrice || !isEmpty) return fill(next, ['sources', source, 'title'], title ?? 'Product page');
  // Nothing but a name is left of it.
  if (title === 'Product page') next = set(next, ['sources', source], undefined);
  return Object.keys(Object(next['sources'])).length === 0 ? set(next, ['sources'], undefined) : next;
}

const PRODUCT: FormKind = {
  first: [
    { at: 'name', help: 'As pages call it.' },
    { at: 'offers.*.partner', label: 'Shop', help: 'Where its button leads.' },
    { at: 'offers.*.price', label: 'Price', help: 'Pages show it with the day on which you looked.' },
    { at: 'sources.$.href', label: 'Address', help: 'The page on which the price can be read.' },
    { at: 'sources.$.checked', label: 'Day on which you looked', help: '', isLookedAt: true },
    { at: 'image.src', label: 'Picture', help: '' },
    { at: 'image.alt', label: 'What the picture shows', help: 'For readers who cannot see it.' },
  ],
  folded: [
    {
      name: 'What pages say of it',
      keys: ['maker', 'verdict', 'for', 'notFor', 'pros', 'cons', 'scores', 'tested', 'button'],
    },
  ],
  elsewhere: ['draft'],
  prepare: (value) => {
    const places: readonly FieldPath[] = [
      ['offers', findOffer(value)],
      ['sources', findSource(value)],
    ];
    return places.reduce<FormValue>(
      (next, path) => (read(next, ...path) === undefined ? Object(setAt(next, path, {})) : next),
      value,
    );
  },
  complete: completeProduct,
};

const BRAND: FormKind = {
  first: [
    {
      at: 'logo.src',
      label: 'Logo',
      help: 'Beside the name and in sharing images; a square one works best.',
    },
    { at: 'logo.alt', label: 'What the logo shows', help: 'For readers who cannot see it.' },
    { at: 'colors.accent', label: 'Accent, of links and buttons', help: '', shipped: '#2454b3' },
    { at: 'colors.positive', label: 'Positive, of savings', help: '', shipped: '#14694a' },
    { at: 'colors.ground', label: 'Ground, behind light pages', help: '', shipped: '#fbf9f4' },
    {
      at: 'displayFont',
      label: 'Typeface of headings and totals',
      help: '',
      choices: [
        { value: 'bricolage', name: 'Bricolage, the shipped one', kind: '' },
        { value: 'system', name: 'That of the reader’s system', kind: '' },
      ],
    },
    { at: 'look' },
  ],
  folded: [{ name: 'Corners, favicon and social image', keys: ['radius', 'favicon', 'socialImage'] }],
};

const picture = (help: string): readonly FirstField[] => [
  { at: 'image.src', label: 'Picture', help },
  { at: 'image.alt', label: 'What the picture shows', help: 'For readers who cannot see it.' },
];

const ARTICLE: FormKind = {
  first: [
    { at: 'author' },
    { at: 'categories' },
    { at: 'publishedAt' },
    ...picture('Above the text, in lists and when shared.'),
    { at: 'tags' },
  ],
  folded: [
    {
      name: 'Search and sharing',
      keys: ['seoTitle', 'seoDescription', 'socialTitle', 'socialDescription', 'index', 'canonicalUrl'],
    },
    { name: 'Sources and proofs', keys: ['sources', 'checked', 'proofs', 'allow'] },
    { name: 'Changes', keys: ['updatedAt', 'updates', 'unpublishAt'] },
  ],
  elsewhere: ['title', 'excerpt', 'address', 'draft'],
};

const PAGE: FormKind = {
  first: [{ at: 'title' }, { at: 'description' }, { at: 'sections' }],
  folded: [
    { name: 'Header and footer', keys: ['header', 'headerLine', 'footer', 'quickLinks'] },
    { name: 'Sharing and search', keys: ['kicker', 'sharing', 'index'] },
    { name: 'Links to partners', keys: ['cta'] },
    { name: 'Changes and proofs', keys: ['updates', 'updated', 'proofs', 'allow'] },
  ],
  elsewhere: ['address', 'draft'],
};

const PARTNER: FormKind = {
  first: [
    { at: 'name', help: 'As pages call it.' },
    {
      at: 'affiliate',
      help: 'It says that a visitor came from you. The link that the program gave you has both.',
    },
    {
      at: 'destinations',
      label: 'Pages that links lead to',
      help: 'Links name one of them, such as pricing.',
    },
    { at: 'hosts', help: 'Links lead to no other ones.' },
  ],
  folded: [
    {
      name: 'What its links say',
      keys: ['subId', 'forward', 'campaign', 'utm', 'labels', 'redirect', 'trialPath', 'regions'],
    },
    {
      name: 'Commissions and payments',
      keys: [
        'network',
        'account',
        'program',
        'source',
        'statuses',
        'currency',
        'timeZone',
        'recurring',
        'payments',
      ],
    },
    { name: 'What it pays, and its rules', keys: ['commission', 'prices', 'rules'] },
    { name: 'Checks of its links', keys: ['watch'] },
  ],
};

const AUTHOR: FormKind = {
  first: [
    { at: 'name', help: 'As it stands below articles.' },
    { at: 'kind' },
    { at: 'role', help: 'A few words below the name.' },
    { at: 'bio', label: 'About the author', help: 'Who writes, and why readers can rely on it.' },
    ...picture(''),
  ],
  folded: [],
};

const SITE: FormKind = {
  first: [
    { at: 'name', help: 'In the header, and in search results.' },
    { at: 'tagline', help: 'Beside the name.' },
    { at: 'description', help: 'In search results for the front page.' },
    { at: 'author', help: 'Signs what names no other author.' },
    { at: 'promotedPartner' },
    { at: 'navigation', label: 'Links of the header', help: '' },
  ],
  folded: [
    { name: 'Front page', keys: ['home'] },
    { name: 'Blog', keys: ['blog'] },
    { name: 'Footer', keys: ['footer', 'copyright'] },
    { name: 'Who publishes it', keys: ['operator', 'accessibility'] },
    { name: 'Disclosure and privacy', keys: ['disclosure', 'privacyChoices'] },
    { name: 'Search engines', keys: ['verification', 'robots', 'language'] },
  ],
};

const ASSESSMENT: FormKind = {
  first: [{ at: 'questions' }, { at: 'outcomes' }],
  folded: [
    { name: 'Words around the questions', keys: ['copy'] },
    { name: 'When no outcome fits, and savings', keys: ['fallback', 'revenueNotes'] },
  ],
  elsewhere: ['draft'],
};

const CALCULATORS: FormKind = {
  first: [
    { at: 'product', help: 'Whose prices they compare with.' },
    { at: 'months', label: 'Months', help: 'Over which costs are counted.' },
    { at: 'calculators' },
  ],
  folded: [
    { name: 'What is replaced', keys: ['stack', 'stackSizes', 'stackPlan', 'stackUsage'] },
    { name: 'Totals and hours', keys: ['totals', 'work'] },
  ],
};

/** The forms that begin with some fields, by the key of the kind. */
const KINDS: Readonly<Record<string, FormKind>> = {
  article: ARTICLE,
  page: PAGE,
  partner: PARTNER,
  product: PRODUCT,
  author: AUTHOR,
  calculators: CALCULATORS,
  assessment: ASSESSMENT,
  site: SITE,
  brand: BRAND,
};

/** How the form of a kind looks; undefined: every field in the order of the schema. */
export const findFormKind = (kind: string): FormKind | undefined =>
  Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;

/** The address of a field of `first` in a value. */
export const resolveAt = ({ at }: Pick<FirstField, 'at'>, value: FormValue): string =>
  at.replace('*', findOffer(value)).replace('$', findSource(value));

/** The sections of a page by what they are for, in the order in which a page asks for them. */
export const PURPOSES: readonly (readonly [type: string, name: string, purpose: string])[] = [
  ['hero', 'Open the page: its promise and its button', 'Open'],
  ['section-nav', 'Lead to the sections of the page', 'Open'],
  ['quote', 'Set one sentence large', 'Open'],
  ['image', 'Show a picture', 'Open'],
  ['video', 'Show a video', 'Open'],
  ['product-box', 'Present one product', 'Compare'],
  ['versus', 'Set two products against each other', 'Compare'],
  ['product-comparison', 'Compare products side by side', 'Compare'],
  ['roundup', 'List products in an order, with reasons', 'Compare'],
  ['picks-table', 'Say which product is best for whom', 'Compare'],
  ['comparison-table', 'Compare in a table of your own', 'Compare'],
  ['criteria-table', 'Compare by criteria', 'Compare'],
  ['pricing-plans', 'Show plans and prices', 'Compare'],
  ['volume-prices', 'Show prices by quantity', 'Compare'],
  ['pros-cons', 'Weigh what speaks for and against', 'Compare'],
  ['before-after', 'Show before and after', 'Compare'],
  ['recommendation', 'Recommend one for each case', 'Compare'],
  ['savings-calculator', 'Let visitors calculate what they save', 'Compare'],
  ['stats', 'Prove it with a few figures', 'Prove'],
  ['chart', 'Prove it with a chart', 'Prove'],
  ['findings', 'Report findings and what they rest on', 'Prove'],
  ['ratings', 'Show ratings', 'Prove'],
  ['testimonials', 'Let customers speak', 'Prove'],
  ['author', 'Say who wrote it, and why to trust them', 'Prove'],
  ['visit-record', 'Show what the site recorded of a visit', 'Prove'],
  ['disclosure', 'Say how the site is paid', 'Prove'],
  ['prose', 'Write text', 'Explain'],
  ['cards', 'Give several short texts of one kind', 'Explain'],
  ['steps', 'Explain what to do, step by step', 'Explain'],
  ['timeline', 'Explain what happens when', 'Explain'],
  ['checklist', 'List what is included or to tick off', 'Explain'],
  ['outcomes', 'Say what to expect', 'Explain'],
  ['faq', 'Answer questions', 'Explain'],
  ['drawing', 'Explain with a drawing', 'Explain'],
  ['article-teasers', 'Lead on to articles', 'Explain'],
  ['call-to-action', 'Ask for one thing to do now', 'Ask'],
  ['newsletter', 'Ask for an email address', 'Ask'],
  ['contact-form', 'Let visitors write to you', 'Ask'],
];

/** Of these, a page has one. */
export const SINGLE_SECTIONS: readonly unknown[] = ['hero', 'contact-form', 'newsletter'];

interface ChangedItems {
  readonly items: readonly unknown[];
  /** Where the item is then. */
  readonly index: number;
  readonly said: string;
}

/** What is done with an item of a list: moved to a place, put there twice, taken away. `to`: the place before an item. */
export function changeItems(
  items: readonly unknown[],
  act: string,
  index: number,
  { label = '', to: place = 0 } = {},
): ChangedItems {
  const { length } = items;
  const one = items[index];
  const stay = (said: string) => ({ items, index, said });
  if (one === undefined) return stay('');
  const rest = items.toSpliced(index, 1);
  if (act === 'copy') {
    // An anchor is that of one place.
    const { id: _, ...copy } = Object(one);
    return {
      items: items.toSpliced(index + 1, 0, isObject(one) ? copy : one),
      index: index + 1,
      said: 'Duplicated.',
    };
  }
  if (act === 'remove')
    return {
      items: rest,
      index: Math.max(0, Math.min(index, length - 2)),
      said: 'Removed. Ctrl Z brings it back.',
    };
  const to = act === 'up' ? index - 1 : act === 'down' ? index + 1 : place - (place > index ? 1 : 0);
  if (to === index) return stay('');
  if (to < 0 || to >= length) return stay(to < 0 ? 'This is the first.' : 'This is the last.');
  const name = label.replace(/^\d+ /, '');
  return { items: rest.toSpliced(to, 0, one), index: to, said: `Moved to ${to + 1} of ${length}: ${name}.` };
}
