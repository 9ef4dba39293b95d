/** The button that begins the assessment: a form, so that it works before and without scripts. */
export function AssessmentStart({ label }: { readonly label: string }) {
  return (
    <form method="get" action="/assessment">
      <input type="hidden" name="step" value="1" />
      <button type="submit" className="button button-primary">
        {label}
      </button>
    </form>
  );
}
