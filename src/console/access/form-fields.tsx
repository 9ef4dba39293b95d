/** The part of a form that shows that a page of the console has sent it, and what it asks for. */
export function FormFields(props: {
  readonly token: string;
  readonly fields?: Readonly<Record<string, string>>;
}) {
  const { token, fields = {} } = props;
  return (
    <>
      <input type="hidden" name="token" value={token} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
