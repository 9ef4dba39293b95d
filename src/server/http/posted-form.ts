/** Reads the fields of a posted form; none when the body is not a form. */
export function readPostedForm(body: Pick<Body, 'formData'>): Promise<FormData> {
  return body.formData().catch(() => new FormData());
}
