/** What a source says, with a link to it and the day on which it was read. */
export function SourcedText(props: {
  readonly text: string;
  /** Address of the source, https. */
  readonly source: string;
  /** `YYYY-MM-DD`, and the same as readers see it. */
  readonly checked: string;
  readonly date: string;
}) {
  return (
    <>
      {props.text}{' '}
      <a href={props.source} rel="noopener">
        {new URL(props.source).hostname.replace(/^www\./, '')}
      </a>
      , <time dateTime={props.checked}>{props.date}</time>
    </>
  );
}
