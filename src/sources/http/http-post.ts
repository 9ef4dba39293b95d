export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** For the whole exchange, in ms. */
  readonly timeoutMs: number;
}

/**
 * Posts to an address and follows no redirect; resolves with the status of the response. Rejects with
 * `NotificationError`: `not-sent` when the other side has certainly got nothing, otherwise `unknown`.
 */
export type HttpPost = (address: URL, options: PostOptions) => Promise<number>;
