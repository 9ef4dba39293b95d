import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildCta } from '../../core/outbound/cta.ts';
import { type SectionOf, sectionSchema } from '../../core/pages/sections/section.schema.ts';
import { VideoView } from './video.tsx';

const cta = buildCta(
  { source: 'page' },
  { partners: readSamplePartners(), site: { promotedPartner: 'highlevel' } },
);
const VIDEO = { type: 'video', name: 'A tour', caption: 'See it all' };
const CHAPTERS = { chapters: [{ title: 'The first lead' }], length: '3 min' };

function render(fields: object): string {
  const video = sectionSchema.parse({ ...VIDEO, ...fields }) as SectionOf<'video'>;
  return renderToStaticMarkup(<VideoView video={video} cta={cta} />);
}

it('a video without an address is its caption alone', () => {
  expect(render({}).replace(/<[^>]+>/g, '')).toBe('See it all');
});

it('a video with an address lists its chapters', () => {
  const text = render({ ...CHAPTERS, youtube: 'abcdefghijk' });
  expect(text).toContain('The first lead');
  expect(text).toContain('3 min');
});

it('a length without an address is refused; chapters, which earlier versions had, are not shown', () => {
  const result = sectionSchema.safeParse({ ...VIDEO, ...CHAPTERS });
  expect(result.error?.issues.map(({ path }) => path.join('.'))).toEqual(['length']);
  expect(render({ chapters: CHAPTERS.chapters }).replace(/<[^>]+>/g, '')).toBe('See it all');
});
