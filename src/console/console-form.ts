import { readBody, readPostedForm } from '../server/http/request-body.ts';

/** Fields without a file: parsing megabytes of them would take seconds and hundreds of megabytes. */
const MAX_FIELDS_BYTES = 262_144;

/** The text of a field, without the spaces around it; empty when it is missing or a file. */
export function getFormText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * Reads a posted form of at most `maxBytes`, or 256 KB without a file; empty when the body is not a form. Rejects with
 * `RequestBodyError`.
 */
export async function readConsoleForm(request: Request, maxBytes: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  const mayHaveFile = /^multipart\//i.test(type);
  const body = await readBody(request, mayHaveFile ? maxBytes : Math.min(maxBytes, MAX_FIELDS_BYTES));
  const headers = { 'content-type': type };
  return readPostedForm(new Response(body, { headers }));
}
