import { expect, it } from 'vitest';
import { scaleToMachine } from '../../../../test/support/scale-to-machine.ts';
import { stripMarkdown } from './strip-markdown.ts';

it.each([
  ['## A **bold** `code` _it_', 'A bold code it'],
  ['See [the sum](/roi-calculator) now', 'See the sum now'],
  ['| a | b |\n| --- | ---: |\n| 1 | 2 |', 'a b 1 2'],
  ['a | b\n- | -:\n1 | 2', 'a b 1 2'],
  ['- one\n  + two - three', 'one two - three'],
  ['```ts\nconst a = 1;\n```', 'const a = 1;'],
  ['<div class="x">in</div> 5 < 6', 'in 5 < 6'],
  ['> quoted', 'quoted'],
  ['Mark it _keep_, or [set it up](/go), then **stop**.', 'Mark it keep, or set it up, then stop.'],
])('strips the markup of %j', (markdown, text) => {
  expect(stripMarkdown(markdown)).toBe(text);
});

it.each(['<', '](', ' ', '|', '-', '`', '#'])('strips %j repeated 200,000 times in linear time', (piece) => {
  const start = performance.now();
  stripMarkdown(piece.repeat(200_000));
  expect(performance.now() - start).toBeLessThan(scaleToMachine(2_000));
});
