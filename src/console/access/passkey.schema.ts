import { z } from 'zod';

/** Bytes as base64url. */
const bytes = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);
const id = bytes.min(1).max(1_400);

const credential = {
  id,
  rawId: id,
  type: z.literal('public-key'),
  // Nothing is asked for, so nothing that comes is used.
  clientExtensionResults: z.looseObject({}).transform(() => ({})),
};

/** What a browser sends before it creates a passkey. */
export const passkeyStartSchema = z.object({ token: z.string().max(100) });

/** What a browser sends about a new passkey. */
export const passkeyRegistrationSchema = z.object({
  token: z.string().max(100),
  label: z.string().trim().min(1).max(60),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .default([]),
    }),
  }),
});

/** What a browser sends to sign in with a passkey. */
export const passkeySignInSchema = z.object({
  response: z.object({
    ...credential,
    response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }),
  }),
});
