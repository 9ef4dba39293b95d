/** The label of quotations that this site wrote. */
export function SampleNote({ className }: { readonly className: string }) {
  return (
    <p className={`text-sm text-muted ${className}`}>
      <span className="mr-2 inline-block rounded-sm border border-line-strong px-1.5 text-xs text-ink">
        Sample
      </span>
      Written by this site to show the format. No customer said this.
    </p>
  );
}
