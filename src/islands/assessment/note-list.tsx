/** What the result says to single answers: the answer on the left, the note beside it. */
export function NoteList(props: {
  readonly title: string;
  readonly notes: readonly { readonly label: string; readonly text: string }[];
}) {
  return (
    <section className="result-part">
      <h2 className="text-2xl">{props.title}</h2>
      <dl>
        {props.notes.map(({ label, text }) => (
          <div key={label} className="ledger-row">
            <dt className="n font-semibold">{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
