import process from 'node:process';

/** Finds a secret that the file of a network names; empty without one. It is the one place where secrets are looked up. */
export const findSecret = (name: string): string => process.env[name]?.trim() ?? '';

/**
 * Finds the secret of a partner's webhooks: `NAME_PARTNER`, else `NAME` of the network's file, else its entry in
 * `WEBHOOK_SECRETS` (`partner=secret`, several separated by commas), where earlier versions had them.
 */
export function findWebhookSecret(partner: string, name: string | undefined): string {
  const suffix = partner.toUpperCase().replaceAll('-', '_');
  const own = name === undefined ? '' : findSecret(`${name}_${suffix}`) || findSecret(name);
  if (own !== '') return own;
  const entries = findSecret('WEBHOOK_SECRETS').split(',');
  const entry = entries.map((text) => text.trim()).findLast((text) => text.startsWith(`${partner}=`));
  return entry?.slice(partner.length + 1) ?? '';
}
