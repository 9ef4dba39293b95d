import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The name of a user of this machine, for a command; the number where no file has the name. */
export function describeUser(uid: number, passwords = '/etc/passwd'): string {
  try {
    const lines = readFileSync(passwords, 'utf8').split('\n');
    const [name = ''] =
      lines.map((line) => line.split(':')).find((fields) => fields[2] === String(uid)) ?? [];
    // The name becomes part of a command that the operator copies.
    return /^[\w.-]+$/.test(name) ? name : String(uid);
  } catch {
    return String(uid);
  }
}

/**
 * Why a user (`uid`) must not run commands on a data folder, with the command that may; null when it may. Whoever else ran
 * them, root too, would leave files that the site cannot write.
 */
export function refuseForeignUser(dataDir: string, uid: number, command: string): string | null {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || owner === uid) return null;
  const name = describeUser(owner);
  return (
    `${path.resolve(dataDir)} belongs to ${name}, and this command runs as ${describeUser(uid)}: what it creates there ` +
    `could not be used by the site. Run: sudo -u ${/^\d+$/.test(name) ? `'#${name}'` : name} ${command}`
  );
}
