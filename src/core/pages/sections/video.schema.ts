import { z } from 'zod';
import { sectionFields, text } from './fields.schema.ts';

const chapter = z.strictObject({
  at: text.optional().describe('Where the chapter begins, for example `4:30`.'),
  title: text.describe('What the chapter is about.'),
  text: text.optional().describe('What it says, in a sentence or two.'),
});

/** A video, in a section or in a hero. Nothing is loaded from the video service before it is played. */
export const videoFields = {
  youtube: z
    .string()
    .regex(/^[\w-]{11}$/, 'is not a YouTube id')
    .optional()
    .describe('YouTube id. Without one the chapters are shown as text.'),
  name: text.describe('Title of the video.'),
  length: text.optional().describe('Length, for example `18 min`.'),
  caption: text.optional().describe('Line under the video.'),
  chapters: z.array(chapter).min(2).describe('The video as text.'),
};

/** A video with its chapters. */
export const videoSchema = z.strictObject({ type: z.literal('video'), ...sectionFields, ...videoFields });

/** The video itself, without its section. */
export type VideoFields = z.infer<z.ZodObject<typeof videoFields>>;
