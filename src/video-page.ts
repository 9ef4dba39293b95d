import { startVideos } from './browser/play-video.ts';

startVideos(document);
