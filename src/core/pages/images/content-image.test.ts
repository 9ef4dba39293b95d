import { expect, it } from 'vitest';
import { findContentImage, isContentReference } from './content-image.ts';

const image = { src: '/images/a.svg', width: 1200, height: 630, sources: [] };
const images = new Map([
  ['a.svg', image],
  ['team/Ana & Bo.jpg', image],
  ['cafe\u0301.jpg', image],
]);
const find = (reference: string, origin: 'folder' | 'build' = 'folder') =>
  findContentImage(reference, { images, origin });

it.each(['../images/a.svg', './../images/a.svg', '../pages/../images/a.svg', '../images/team/../a.svg'])(
  'finds the image that %s names',
  (reference) => expect(find(reference)).toEqual({ image }),
);

it.each(['../images/caf\u00e9.jpg', '../images/cafe\u0301.jpg', '../images/caf%C3%A9.jpg'])(
  'finds an image whose name macOS has written as %s',
  (reference) => expect(find(reference)).toEqual({ image }),
);

it.each(['../images/team/Ana & Bo.jpg', '../images/team/Ana%20&%20Bo.jpg'])(
  'finds an image with spaces in its name as %s',
  (reference) => expect(find(reference)).toEqual({ image }),
);

it.each([
  'a.svg',
  'images/a.svg',
  '../a.svg',
  '../images/../a.svg',
  '../../images/a.svg',
  '/images/a.svg',
  '//host.example/a.svg',
  'https://host.example/a.svg',
  'file:///etc/passwd',
  '../images/a.svg?v=2',
  '../images/a.svg#part',
  '..\\images\\..\\a.svg',
  '../images/%2e%2e/a.svg',
  '../images/%',
])('refuses %s, which is outside of content/images/', (reference) => {
  expect(find(reference)).toEqual({
    problem: expect.stringMatching(/^must be a picture of the site/),
    needsBuild: false,
  });
});

it('does not decode separators: an encoded slash is part of a name', () =>
  expect(find('../images/..%2F..%2Fsite.png')).toEqual({
    problem: 'names content/images/../../site.png, which does not exist',
    needsBuild: false,
  }));

it.each([
  ['../images/none.png', 'folder', 'names content/images/none.png, which does not exist'],
  ['../images/A.svg', 'folder', 'names content/images/A.svg, which does not exist'],
  [
    '../images/none.png',
    'build',
    'names content/images/none.png, which is not there: add the file, unless it is being converted',
  ],
  [
    '../images/none.gif',
    'folder',
    'names none.gif, which is not an image file (svg, png, jpg, jpeg, webp, avif)',
  ],
] as const)('says what is wrong with %s when the catalog lists the %s', (reference, origin, problem) => {
  expect(find(reference, origin)).toEqual({ problem, needsBuild: origin === 'build' });
});

it.each([
  ['../images/a.svg', true],
  ['a.svg', true],
  ['/images/a.svg', false],
  ['//host.example/a.svg', false],
  ['https://host.example/a.svg', false],
  ['data:image/png;base64,AA', false],
])('takes %s for a reference of a content file: %s', (address, expected) => {
  expect(isContentReference(address)).toBe(expected);
});
