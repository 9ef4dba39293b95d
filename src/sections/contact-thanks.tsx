/** What a sent message is answered with; hidden in the page until then, for the script to show. */
export function ContactThanks(props: { readonly text: string; readonly isHidden: boolean }) {
  return (
    <div data-thanks hidden={props.isHidden} tabIndex={-1} className="max-w-text">
      <p role="status" className="border-l-3 border-positive bg-positive-wash px-5 py-4 text-lg">
        {props.text}
      </p>
    </div>
  );
}
