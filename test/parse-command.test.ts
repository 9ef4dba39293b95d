import { expect, it } from 'vitest';
import { parseCommand, UsageError } from '../scripts/commands/events/parse-command.ts';

it.each([
  [[], 'Name a command: export, count, report, rebuild, delete, prune.'],
  [['exprot'], 'There is no command "exprot".'],
  [['help'], 'There is no command "help".'],
  [['count', 'all'], 'Unexpected argument "all".'],
  [['count', '--format', 'csv'], 'count does not take --format.'],
  [['delete', '--all'], 'delete does not take --all.'],
  [['export', '--format', 'xml'], '--format is ndjson or csv, not "xml".'],
  [['export', '--from', 'yesterday'], '--from is a time such as'],
  [['export', '--from', '2025-11-20T10:00:00'], '--from is a time such as'],
  [['export', '--to', '2025-13-45'], '--to is a time such as'],
  [['count', '--from', '2026-02-30'], '--from is a time such as'],
  [['count', '--from', '2025-02-29T10:00:00Z'], '--from is a time such as'],
  [['count', '--to', '2025-11-20T25:00:00Z'], '--to is a time such as'],
  [['export', '--name', 'page_veiw'], 'There is no event "page_veiw". Events: page_view,'],
  [['export', '--sesion', 'a'], "Unknown option '--sesion'"],
  [['report'], 'report requires --by page|placement|campaign|answer|partner|path|assessment|day.'],
  [['report', '--by', 'color'], 'report requires --by page|'],
  [['report', '--by', 'page', '--format', 'xml'], '--format of a report is table, csv or json, not "xml".'],
  [['report', '--by', 'page', '--from', '2026-02-30'], '--from of a report is a day such as'],
  [['rebuild', '--all'], 'rebuild does not take --all.'],
  [['delete'], 'delete requires --session ID.'],
])('rejects the arguments %j and says why', (words, message) => {
  expect(() => parseCommand(words)).toThrow(UsageError);
  expect(() => parseCommand(words)).toThrow(message);
});

it.each([
  ['2025-11-20', Date.UTC(2025, 10, 20)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2025-11-20T01:00Z', Date.UTC(2025, 10, 20, 1)],
  ['2025-11-20T01:00:00+01:00', Date.UTC(2025, 10, 20)],
  ['2025-11-20T01:00:00.5Z', Date.UTC(2025, 10, 20, 1, 0, 0, 500)],
])('reads the time %s', (text, from) => {
  expect(parseCommand(['count', '--from', text])).toEqual({
    kind: 'count',
    filter: { from, to: undefined, names: undefined, session: undefined, all: false },
  });
});

it('exports lines of JSON by default', () => {
  expect(parseCommand(['export'])).toMatchObject({
    kind: 'export',
    format: 'ndjson',
    filter: { all: false },
  });
  expect(parseCommand(['export', '--all'])).toMatchObject({ filter: { all: true } });
});

it.each([['--help'], ['-h'], ['count', '--help']])('shows the usage for %s', (...words) => {
  expect(parseCommand(words)).toEqual({ kind: 'help' });
});
