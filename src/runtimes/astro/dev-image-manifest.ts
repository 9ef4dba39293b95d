import path from 'node:path';

/** Where the development server lists the content images for the pages that it renders. */
export const DEV_IMAGE_MANIFEST = path.resolve('.cache/media/dev-images.json');
