import { z } from 'zod';
import { isWebhookAddress } from '../core/contact/webhook-address.ts';
import { buildHostOrigin } from './http/host-origin.ts';

// The kinds of settings. Each message continues "NAME: " and says what a value has to be.

export const plainText = (fallback = '') => z.string().trim().default(fallback);

/** A text that is empty or passes a test. */
const optional = (isValid: (value: string) => boolean, message: string) =>
  plainText().refine((value) => value === '' || isValid(value), message);

export const whole = (fallback: number, min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message).default(fallback);
};

const splitList = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Several values separated by commas. */
export const list = (isValid: (item: string) => boolean, message: string) =>
  plainText()
    .transform(splitList)
    .refine((items) => items.every(isValid), message);

/** `partner=secret`, several separated by commas. */
export const secrets = () =>
  list((item) => /^[a-z0-9-]+=\S+$/.test(item), 'must look like highlevel=secret').transform((items) => {
    const pairs = items.map((item): [string, string] => [
      item.slice(0, item.indexOf('=')),
      item.slice(item.indexOf('=') + 1),
    ]);
    return new Map(pairs);
  });

const isWebAddress = (value: string) => /^https?:\/\/[^\s/]+/i.test(value) && URL.canParse(value);

export const url = () => optional(isWebAddress, 'must be an address that begins with http:// or https://');

const isHost = (value: string) => /^[\w.:-]+$/.test(value) && URL.canParse(buildHostOrigin(value, 80));
const HOST_MESSAGE = 'must be a name or an IP address, without a scheme, a port or brackets';

/** A host to listen on or to connect to. */
export const host = (fallback: string) =>
  plainText(fallback).refine((value) => value === '' || isHost(value), HOST_MESSAGE);

const isHostWithPort = (value: string) =>
  /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(value) && URL.canParse(`http://${value}`);

/** A host as requests name it, with its port unless it is the usual one. */
export const requestedHost = () =>
  optional(
    isHostWithPort,
    'must be a host such as console.example.com, without https:// and a path',
  ).transform((value) => value.toLowerCase());

export const hosts = () =>
  list(isHostWithPort, 'must be hosts such as images.example.com, without https:// and a path');

export const header = (fallback = '') =>
  plainText(fallback).refine(
    (value) => /^[\w-]*$/.test(value),
    'must be the name of a header, such as CF-IPCountry',
  );

/** Country codes, `EU`, `EEA`, or parts of countries such as `US-CA`. */
export const regions = () =>
  list(
    (item) => /^(?:EEA|[a-z]{2}(?:-[a-z\d]{1,3})?)$/i.test(item),
    'must be codes of two letters such as EU,GB,CH',
  );

export const webhook = () =>
  optional(isWebhookAddress, 'must begin with https://, or http:// and be an address of this machine');

const isMailAddress = (item: string) => /^[^\s@<>,]+@[^\s@<>,]+$|^[^<>]*<[^\s@<>,]+@[^\s@<>,]+>$/.test(item);

export const mailAddress = () =>
  optional(isMailAddress, 'must be an email address, or look like Name <name@example.com>');

export const mailAddresses = () =>
  optional((value) => splitList(value).every(isMailAddress), 'must be email addresses, separated by commas');
