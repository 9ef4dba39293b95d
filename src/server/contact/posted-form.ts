/** Reads the fields of a posted form; none when the body is not a form. */
export async function readPostedForm(request: Request): Promise<Pick<FormData, 'get'>> {
  try {
    return await request.formData();
  } catch {
    return new FormData();
  }
}
