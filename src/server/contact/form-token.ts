import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Signed times of forms, against spam: a form proves when it was created. */
export interface FormTokens {
  /** Creates the token of a form that is created now. */
  issue(): string;
  /** Age of a token in ms; null when it was not issued here. */
  readAge(token: string): number | null;
}

/** Creates tokens signed with `key`; `now` is the wall clock in ms since 1970. */
export function createFormTokens(options: { readonly key: string; readonly now: () => number }): FormTokens {
  const sign = (text: string) => createHmac('sha256', options.key).update(text).digest('base64url');
  return {
    issue() {
      const text = `${options.now().toString(36)}.${randomBytes(9).toString('base64url')}`;
      return `${text}.${sign(text)}`;
    },
    readAge(token) {
      const [time = '', nonce = '', signature = '', ...rest] = token.slice(0, 200).split('.');
      if (rest.length > 0 || time === '') return null;
      const expected = Buffer.from(sign(`${time}.${nonce}`));
      const given = Buffer.from(signature);
      if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
      return options.now() - Number.parseInt(time, 36);
    },
  };
}
