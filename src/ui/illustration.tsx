import { InlineSvg } from './inline-svg.tsx';

const FILES = import.meta.glob<string>('./illustrations/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** The illustration that content calls `name`: the file `illustrations/NAME.svg`. */
export function Illustration({ name, className }: { readonly name: string; readonly className?: string }) {
  const svg = FILES[`./illustrations/${name}.svg`];
  if (svg === undefined) throw new Error(`src/ui/illustrations/${name}.svg is missing`);
  return <InlineSvg svg={svg} className={className} />;
}
