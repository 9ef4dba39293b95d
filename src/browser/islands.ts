import type { ClientDirective } from 'astro';
import hydrateWhenTouched from './client-touch.ts';

type Props = Readonly<Record<string, unknown>>;
/** What a framework's part for the browser exports: makes what the server rendered answer. */
type Hydrator = (
  element: Element,
) => (Component: unknown, props: Props, slots: object, about: object) => unknown;

/** A value as Astro writes it into the page: 1 marks a list, 0 everything else that JSON has. */
type Written = readonly [0 | 1, unknown];

function readValue([kind, value]: Written): unknown {
  if (kind === 1) return (value as readonly Written[]).map(readValue);
  return typeof value === 'object' && value !== null ? readProps(value as Record<string, Written>) : value;
}

function readProps(written: Readonly<Record<string, Written>>): Props {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, readValue(value)]));
}

const hydrateWhenSeen: ClientDirective = (load, _, element) => {
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    watch.disconnect();
    void start(load);
  });
  for (const child of element.children) watch.observe(child);
};

const START: Readonly<Record<string, ClientDirective>> = {
  touch: hydrateWhenTouched,
  visible: hydrateWhenSeen,
  idle: (load) => void start(load),
};

/** An island that cannot load stays what the server rendered, which works. */
async function start(load: Parameters<ClientDirective>[0]): Promise<void> {
  try {
    const hydrate = await load();
    await hydrate();
  } catch (error) {
    console.error('An island did not load:', error);
  }
}

/**
 * The element that Astro writes around an island. Astro's own would be an inline script of 2 kB on every page that
 * has one; this one comes when somebody begins to use the page, and knows the props and directives that we use.
 */
class Island extends HTMLElement {
  connectedCallback(): void {
    const options = JSON.parse(this.read('opts'));
    START[this.read('client')]?.(() => this.load(), options, this);
  }

  async load(): Promise<() => Promise<void>> {
    // In development, what reloads edited components has to be there first.
    const first = this.read('before-hydration-url');
    if (first !== '') await import(/* @vite-ignore */ first);
    const [code, { default: createHydrator }] = await Promise.all([
      import(/* @vite-ignore */ this.read('component-url')) as Promise<Readonly<Record<string, unknown>>>,
      import(/* @vite-ignore */ this.read('renderer-url')) as Promise<{ readonly default: Hydrator }>,
    ]);
    return async () => {
      const props = readProps(JSON.parse(this.read('props')));
      const hydrate = createHydrator(this);
      await hydrate(code[this.read('component-export')], props, {}, { client: this.read('client') });
      this.removeAttribute('ssr');
    };
  }

  read(attribute: string): string {
    return this.getAttribute(attribute) ?? '';
  }
}

if (!customElements.get('astro-island')) customElements.define('astro-island', Island);
