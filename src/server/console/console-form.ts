import { readBody } from '../http/request-body.ts';

/** Reads a posted form of at most `maxBytes`; empty when the body is not a form. Rejects with `RequestBodyError`. */
export async function readConsoleForm(request: Request, maxBytes: number): Promise<FormData> {
  const body = await readBody(request, maxBytes);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return new Response(body, { headers }).formData().catch(() => new FormData());
}
