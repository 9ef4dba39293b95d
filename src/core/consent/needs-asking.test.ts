import { describe, expect, it } from 'vitest';
import { needsAsking } from './needs-asking.ts';

describe('needsAsking', () => {
  it.each([
    ['every visitor when no region is set', [], { region: 'US', timeZone: 'America/New_York' }, true],
    ['a country that is listed', ['DE'], { region: 'de', timeZone: '' }, true],
    ['another country', ['DE'], { region: 'FR', timeZone: 'Europe/Berlin' }, false],
    ['a member of the union', ['EU'], { region: 'IE', timeZone: '' }, true],
    ['Norway as part of the economic area', ['EU'], { region: 'NO', timeZone: '' }, true],
    ['not Switzerland for the union', ['EU'], { region: 'CH', timeZone: '' }, false],
    ['the United Kingdom by either name', ['uk'], { region: 'GB', timeZone: '' }, true],
    ['a state that is listed', ['US-CA'], { region: 'US-CA', timeZone: '' }, true],
    ['another state', ['US-CA'], { region: 'US-NY', timeZone: '' }, false],
    ['every state of a listed country', ['US'], { region: 'US-NY', timeZone: '' }, true],
    ['by time zone in Europe', ['EU', 'GB'], { region: '', timeZone: 'Europe/Madrid' }, true],
    ['by time zone far from it', ['EU'], { region: '', timeZone: 'Indian/Reunion' }, true],
    ['not by time zone elsewhere', ['EU', 'GB', 'CH'], { region: '', timeZone: 'America/Chicago' }, false],
    ['when the time zone says nothing', ['EU'], { region: '', timeZone: 'UTC' }, true],
    ['when it is unknown', ['EU'], { region: '', timeZone: '' }, true],
    ['when time zones cannot tell', ['BR'], { region: '', timeZone: 'America/Chicago' }, true],
    [
      'by time zone when the proxy does not know the country',
      ['EU'],
      { region: 'XX', timeZone: 'Europe/Rome' },
      true,
    ],
    ['by time zone for an unknown region', ['EU'], { region: 'ZZ', timeZone: 'America/Chicago' }, false],
    ['when the header holds nonsense', ['EU'], { region: 'XX<b>', timeZone: 'UTC' }, true],
  ])('asks %s', (_, regions, visitor, isAsked) => {
    expect(needsAsking(regions, visitor)).toBe(isAsked);
  });
});
