import { describe, expect, it } from 'vitest';
import { parseCommand, UsageError } from '../scripts/event-commands/parse-command.ts';

describe('parseCommand', () => {
  it.each([
    [[], 'Say what to do.'],
    [['exprot'], 'There is no command "exprot".'],
    [['count', 'all'], '"all" is one word too many.'],
    [['count', '--format', 'csv'], 'count takes no --format.'],
    [['export', '--format', 'xml'], '--format is ndjson or csv, not "xml".'],
    [['export', '--from', 'yesterday'], '--from is a time such as'],
    [['export', '--from', '2025-11-20T10:00:00'], '--from is a time such as'],
    [['export', '--to', '2025-13-45'], '--to is a time such as'],
    [['export', '--name', 'page_veiw'], 'There is no event "page_veiw"; there are: page_view,'],
    [['export', '--sesion', 'a'], "Unknown option '--sesion'"],
    [['delete'], 'delete needs --session ID.'],
  ])('%j is explained', (words, message) => {
    expect(() => parseCommand(words)).toThrow(UsageError);
    expect(() => parseCommand(words)).toThrow(message);
  });

  it('reads times as moments', () => {
    expect(parseCommand(['count', '--from', '2025-11-20', '--to', '2025-11-20T01:00:00+01:00'])).toEqual({
      kind: 'count',
      filter: {
        from: Date.UTC(2025, 10, 20),
        to: Date.UTC(2025, 10, 20),
        names: undefined,
        session: undefined,
      },
    });
  });

  it('exports lines of JSON unless told otherwise', () => {
    expect(parseCommand(['export'])).toMatchObject({ kind: 'export', format: 'ndjson' });
  });
});
