/** A request body that cannot be used. `unreadable`: the client stopped sending or sent too slowly. */
export class RequestBodyError extends Error {
  readonly code: 'too-large' | 'unreadable';

  constructor(code: 'too-large' | 'unreadable', message: string, options?: ErrorOptions) {
    super(`[http:body] ${message}`, options);
    this.name = 'RequestBodyError';
    this.code = code;
  }
}

/** Reads a whole body of at most `maxBytes`. Rejects with `RequestBodyError`; a longer body is not read to its end. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > maxBytes)
    throw new RequestBodyError('too-large', `more than ${maxBytes} bytes`);
  try {
    // The server takes no more bytes than announced. A body of unknown length is counted as it comes.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer());
    return await readStream(request, maxBytes);
  } catch (cause) {
    if (cause instanceof RequestBodyError) throw cause;
    throw new RequestBodyError('unreadable', 'the body did not arrive', { cause });
  }
}

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new RequestBodyError('too-large', `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads the fields of a posted form; none when the body is not a form. */
export function readPostedForm(body: Pick<Body, 'formData'>): Promise<FormData> {
  return body.formData().catch(() => new FormData());
}
