import type { NetworkFile } from './network.schema.ts';

/** Lists the names of the secrets that a network's file uses, each once. */
export function listSecretNames({ interface: api, push }: NetworkFile): readonly string[] {
  const webhooks = [push?.signature?.secret, push?.decrypt?.secret];
  const names = [...(api?.needs ?? []), ...(api?.optional ?? []), ...webhooks];
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** Describes by field which `hosts` get secrets, which `secrets` these are, and how messages are checked (`signature`). */
export function describeAccess(file: NetworkFile): Readonly<Record<string, string>> {
  const { interface: api, push } = file;
  const urls = [api?.url ?? '', api?.auth.url ?? ''].filter((url) => url !== '');
  const hosts = new Set(urls.map((url) => URL.parse(url)?.host ?? url));
  const { uses, header, field, secret } = push?.signature ?? {};
  const access = {
    hosts: [...hosts].sort().join(', '),
    secrets: listSecretNames(file).join(', '),
    signature: [uses, header, field, secret, push?.decrypt?.secret].filter(Boolean).join(' '),
  };
  return Object.fromEntries(Object.entries(access).filter(([, text]) => text !== ''));
}

/** What the names of all secrets of a network's file begin with. */
export const buildSecretPrefix = (network: string): string =>
  `${network.toUpperCase().replaceAll('-', '_')}_`;
