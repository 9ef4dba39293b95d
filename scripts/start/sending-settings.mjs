// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SENDING = /^(?:SMTP_|MAIL_|.*WEBHOOK|NEWSLETTER_|HEARTBEAT_|GA_|LEDGER_COPY)/;

/**
 * Empty values for the given settings that send data to someone, and for the secrets with which networks are read, as the
 * files of a version name them.
 * @param {string} root
 * @param {readonly string[]} names
 * @returns {Record<string, string>}
 */
export function listSending(root, names) {
  const folder = path.join(root, 'networks');
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const secrets = texts.flatMap((text) => /needs: \[([^\]]+)\]/.exec(text)?.[1]?.split(', ') ?? []);
  return Object.fromEntries(
    [...names.filter((name) => SENDING.test(name)), ...secrets].map((name) => [name, '']),
  );
}
