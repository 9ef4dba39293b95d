import { expect, it } from 'vitest';
import { type Area, centerArea, fitArea, writeFocus } from './crop.ts';
import { findFileProblem, searchPictures } from './picture-files.ts';

it.each([
  ['a.jpg', 'image/jpeg', 9, null],
  ['a.jpg', 'image/jpeg', 0, /is empty/],
  ['a.png', 'image/png', 24_000_000, /is 24 MB, the limit is 20: make it smaller/],
  ['a.heic', '', 9, /HEIC photo/],
  ['a.pdf', 'application/pdf', 9, /is a PDF/],
  ['a.mp4', 'video/mp4', 9, /is a video/],
  ['a.zip', 'application/zip', 9, /no picture that a page can show/],
] as const)('says why %s of the type %j with %d bytes cannot be shown', (name, type, size, reason) => {
  const problem = findFileProblem({ name, type, size });
  expect(problem).toEqual(reason === null ? null : expect.stringMatching(reason));
});

it('finds pictures by name, description and piece', () => {
  const all = [
    { path: 'gaggia.jpg', alt: 'A machine', uses: 'Espresso at home' },
    { path: 'b.jpg', alt: '', uses: '' },
  ];
  for (const text of ['GAGGIA', 'machine home', ''])
    expect(searchPictures(all, text)[0]?.path).toBe('gaggia.jpg');
  expect(searchPictures(all, 'none')).toEqual([]);
});

it.each<[Area, number | null, Area]>([
  [[-5, -5, 500, 500], null, [0, 0, 300, 200]],
  [[250, 150, 100, 100], null, [250, 150, 50, 50]],
  [[0, 0, 300, 200], 1, [0, 0, 200, 200]],
  [[295, 195, 1, 1], null, [284, 184, 16, 16]],
])('keeps the area %j with the ratio %j in the image', (area, ratio, expected) =>
  expect(fitArea(area, [300, 200], ratio)).toEqual(expected),
);

it('centers a ratio on what was chosen before', () => {
  expect(centerArea([0, 0, 300, 200], [300, 200], 1)).toEqual([50, 0, 200, 200]);
  expect(centerArea([100, 50, 90, 60], [300, 200], 3 / 2)).toEqual([100, 50, 90, 60]);
});

it('writes the focal point as a part of what is shown', () => {
  expect(writeFocus([150, 50], [100, 0, 100, 200])).toBe('50% 25%');
  expect(writeFocus([0, 300], [100, 0, 100, 200])).toBe('0% 100%');
});
