/**
 * Shows an SVG file of `illustrations/`: decorative, as wide as its place, in the page's colors, light and dark.
 * `svg` is the text of the file, imported with `?raw`.
 */
export function InlineSvg({
  svg,
  className,
}: {
  readonly svg: string;
  readonly className?: string | undefined;
}) {
  const [, viewBox = '', shapes = ''] = /viewBox="([^"]*)">\s*([\s\S]*?)\s*<\/svg>/.exec(svg) ?? [];
  return (
    <svg
      viewBox={viewBox}
      className={`h-auto w-full ${className ?? ''}`}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this folder, which no visitor or network writes
      dangerouslySetInnerHTML={{ __html: shapes.replaceAll(/>\s+</g, '><') }}
    />
  );
}
