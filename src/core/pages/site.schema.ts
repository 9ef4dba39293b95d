import { z } from 'zod';
import { UTM_HELP, utmTemplate } from '../outbound/partner.schema.ts';
import { USUAL_UTM } from '../outbound/partner.ts';
import { DISCLOSURE_PATH } from '../paths.ts';
import { PRODUCT_KINDS } from '../products/product.ts';
import { SAMPLE_MODES } from './claims/claims.ts';
import { picksTableSchema } from './sections/products.schema.ts';

const path = z.string().regex(/^\/(?!\/)[a-z0-9/-]*$/, 'must be a path of this site, such as /blog');
/** That of a file may have been one, too. */
const formerPath = z.string().regex(/^\/(?!\/)[a-z0-9./-]*$/, 'must be a path of this site, such as /old');
const link = z.strictObject({ label: z.string().min(1), href: path.meta({ names: 'page' }) });

/** Whether agents of a kind may read pages. */
const access = z.enum(['allow', 'disallow']).default('allow');
/** Whether texts may be used for a purpose. */
const signal = z.enum(['yes', 'no'], 'must be yes or no');

/** The call to action in an article's flow; `{partner}` stands for the partner's name. */
const offer = z.strictObject({
  title: z.string().min(1),
  text: z.string().min(1),
  action: z.string().min(1),
  partnerLink: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a page key such as trial')
    .meta({ names: 'destination' }),
  /** What a reader may want to do before. */
  alternative: link,
});

const siteFields = z.strictObject({
  name: z.string().min(1),
  tagline: z.string().min(1),
  description: z.string().min(50).max(200),
  language: z.string().default('en'),
  /** Whether pages show sample quotations, each block under a label, and sample claims; `local`: not at a public address. */
  samples: z.enum(SAMPLE_MODES).default('local'),
  /** Where landing pages make claims that a source contradicts; elsewhere the fact is in place of the claim. */
  claims: z
    .preprocess((mode) => (mode === 'hide contradicted' ? 'hide' : mode), z.enum(SAMPLE_MODES))
    .default('local'),
  /** Who runs the site, for the legal pages; empty until it is filled in. */
  operator: z
    .strictObject({
      name: z.string().default(''),
      address: z.string().default(''),
      email: z.string().default(''),
    })
    .prefault({}),
  /** Whether the European Accessibility Act applies (`scope: none` if not), and the page that says so, with its day. */
  accessibility: z
    .strictObject({
      scope: z.enum(['none', 'consumers']),
      href: path.optional(),
      stated: z.iso.date().optional(),
      audited: z.iso.date().optional(),
    })
    .optional(),
  /** Codes that prove to search engines whose site this is; empty: not sent. */
  verification: z.strictObject({ google: z.string().default(''), bing: z.string().default('') }).prefault({}),
  /**
   * Which kinds of agents robots.txt lets in; a refused kind is told to stay out of every page. `contentSignal` says what
   * the texts may be used for (contentsignals.org). Both are wishes: an agent decides whether to follow them.
   */
  robots: z
    .strictObject({
      search: access,
      training: access,
      user: access,
      ads: access,
      contentSignal: z
        .strictObject({
          search: signal.optional(),
          aiInput: signal.optional(),
          aiTrain: signal.optional(),
        })
        .prefault({}),
    })
    .prefault({}),
  /** Key of an author's file: signs articles that name no author. Its name once the content is read. */
  author: z.string().min(1).meta({ names: 'author' }),
  promotedPartner: z.string().default('').meta({
    names: 'partner',
    description: 'The main partner: articles, the front page and landing headers get its call. Empty: none.',
  }),
  /** What drafts of products and partners begin with. */
  newProducts: z
    .strictObject({
      kind: z.enum(PRODUCT_KINDS).default('physical'),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'has to be a code such as USD')
        .default('USD'),
    })
    .prefault({}),
  /** Hosts that articles may show images of; a site that moved in has its former one. */
  imageHosts: z
    .array(
      z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/, 'must be a host such as images.example'),
    )
    .max(20)
    .default([]),
  utm: z
    .strictObject({
      source: utmTemplate.default(USUAL_UTM.source),
      medium: utmTemplate.default(USUAL_UTM.medium),
      campaign: utmTemplate.default(USUAL_UTM.campaign),
      content: utmTemplate.default(USUAL_UTM.content),
    })
    .prefault({})
    .describe(
      `utm parameters of links to partners, unless the visit or the partner's file has others. ${UTM_HELP}`,
    ),
  articleService: z.strictObject({ name: z.string().min(1) }),
  /** What the connect screen calls the place where keys are set. */
  backendPlatform: z.string().min(1),
  /** `holder`: the site's name when it is left out. */
  copyright: z.strictObject({ year: z.int().min(1990).max(2100), holder: z.string().default('') }),
  disclosure: z.strictObject({
    /** One line above pages with links to a partner. */
    strip: z.string(),
    short: z.string(),
    full: z.string(),
    /** Below lists of products: whether commission influences their order. */
    commission: z.string().optional(),
    /** The page that *How we are paid* leads to. */
    href: path.default(DISCLOSURE_PATH),
  }),
  /** The question about storage and analytics. Its version ends in a sum of its text: with another one visitors are asked again. */
  privacyChoices: z
    .strictObject({
      version: z
        .string()
        .regex(/^[\w.-]+$/)
        .default('1'),
      label: z.string().default('Privacy choices'),
      visit: z
        .string()
        .default(
          'May we keep a record of this visit in your browser? It holds the pages you open, the campaign you came by ' +
            'and your answers, until you close the tab (30 minutes for new tabs). It tells us which pages earn our ' +
            'commission; parts go to the platform you click through to. The site works the same without.',
        ),
      analytics: z
        .string()
        .default('May Google Analytics remember this browser? It shows us which pages help.'),
      more: z.string().default('What this means'),
      refuse: z.string().default('Refuse'),
      allow: z.string().default('Allow'),
      choose: z.string().default('Choose'),
      save: z.string().default('Save my choice'),
      forget: z.string().default('Delete this visit on the server'),
    })
    .prefault({}),
  navigation: z.array(link).max(6),
  footer: z.array(z.strictObject({ title: z.string(), links: z.array(link) })),
  aliases: z.record(formerPath, path).default({}),
  /** Pages that are called a review or show stars although no test and no picture of one's own is behind them. */
  untestedRatings: z.array(path).default([]),
  /** The front page. */
  home: z.strictObject({
    /** The heading; `==words==` are marked. The site's name and tagline are above it. */
    headline: z.string().min(1),
    lead: z.string().min(1),
    /** The three ways in, as the boards of a signpost. */
    entryPoints: z
      .array(z.strictObject({ label: z.string().min(1), text: z.string().min(1), href: path }))
      .length(3),
    /** The first button; left out: one that leads to the promoted partner. */
    start: z.strictObject({ label: z.string().min(1), href: path }).optional(),
    /** The button that leads to the promoted partner; left out: the one of the site's offer. */
    action: z.string().min(1).optional(),
    /** The recommendations below the hero; left out: the page has no picks. */
    picks: picksTableSchema.omit({ type: true }).optional(),
    /** Facts below the lead, before the number of guides; `{partners:count}` is the number of partners. */
    facts: z.array(z.string().min(1)).max(3).default([]),
    /** Words of the bill; its lines and figures are those of calculators.yaml. Left out: there is no bill. */
    bill: z
      .strictObject({
        /** Key of the plan that the stack is compared with. */
        plan: z.string(),
        title: z.string(),
        unit: z.string(),
        stackLabel: z.string(),
        planLabel: z.string(),
        savingsLabel: z.string(),
        /** After the savings of a year, in a line of their own; left out: there is no such line. */
        yearLabel: z.string().optional(),
        /** Above the savings with usage (`stackUsage` of calculators.yaml); left out: only those before usage are shown. */
        netLabel: z.string().optional(),
        note: z.string(),
        link,
        /** A calculator of calculators.yaml whose fields are in the bill; they lead to the page and section that have it. */
        calculator: z
          .strictObject({
            name: z.string().min(1),
            page: path,
            section: z.string().min(1),
            button: z.string().min(1),
          })
          .optional(),
      })
      .optional(),
    newest: z.string().min(1),
  }),
  blog: z.strictObject({
    title: z.string(),
    /** What search engines show below the title. */
    description: z.string().min(1),
    hero: z.strictObject({
      title: z.string(),
      /** Keys of claims. */
      stats: z.array(z.string()).max(3),
      /** Shown where samples are hidden, and the title makes a sample claim. */
      instead: z
        .strictObject({
          title: z.string().min(1),
          stats: z.array(z.strictObject({ figure: z.string().min(1), wording: z.string().min(1) })).max(3),
        })
        .optional(),
    }),
    topics: z.array(z.strictObject({ name: z.string(), description: z.string() })).length(4),
    /** For articles about the promoted partner, and about the others. */
    offers: z.strictObject({ promoted: offer, other: offer }),
    picks: z.strictObject({
      title: z.string(),
      badge: z.string(),
      items: z.array(
        z.strictObject({
          title: z.string(),
          description: z.string(),
          href: path,
          minutes: z.int().positive(),
          featured: z.boolean().default(false),
        }),
      ),
    }),
  }),
});

/** `content/site.yaml`: the site's words, navigation and defaults. */
export const siteSchema = siteFields.transform((site) => {
  const { copyright, name, privacyChoices: choices } = site;
  const text = `${choices.visit}\n${choices.analytics}`;
  // FNV-1a: it tells texts apart, and hides nothing.
  const sum = [...text].reduce(
    (hash, one) => Math.imul(hash ^ (one.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  );
  const privacyChoices = { ...choices, version: `${choices.version}-${(sum >>> 0).toString(36)}` };
  return { ...site, privacyChoices, copyright: { ...copyright, holder: copyright.holder || name } };
});

export type SiteDetails = z.infer<typeof siteSchema>;
