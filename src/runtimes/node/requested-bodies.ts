/** Bodies of requests that are with another thread until they are read. */
export class RequestedBodies {
  readonly #request: (id: number) => void;
  readonly #waiting = new Map<number, (body: ReadableStream<Uint8Array>) => void>();

  constructor(request: (id: number) => void) {
    this.#request = request;
  }

  /** Returns a stream that requests the body of a request when it is read first. */
  open(id: number): ReadableStream<Uint8Array> {
    let reader: Promise<ReadableStreamDefaultReader<Uint8Array>> | undefined;
    const begin = async () => {
      const received = new Promise<ReadableStream<Uint8Array>>((resolve) => this.#waiting.set(id, resolve));
      this.#request(id);
      return (await received).getReader();
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      reader ??= begin();
      const { done, value } = await (await reader).read();
      if (done) controller.close();
      else controller.enqueue(value);
    };
    // Nothing is read ahead.
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }

  /** Takes the body of a request that was asked for. */
  receive(id: number, body: ReadableStream<Uint8Array>): void {
    this.#waiting.get(id)?.(body);
    this.#waiting.delete(id);
  }
}
