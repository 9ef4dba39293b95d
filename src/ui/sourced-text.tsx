/** What a source says, with a link to it and the day on which it was read. */
export function SourcedText(props: {
  readonly text: string;
  /** Address of the source, https. */
  readonly source: string;
  /** As readers see it. */
  readonly date: string;
}) {
  return (
    <>
      {props.text}{' '}
      <a href={props.source} rel="noopener">
        {new URL(props.source).hostname.replace(/^www\./, '')}
      </a>
      , {props.date}
    </>
  );
}
