import { startContactForm } from './browser/contact-form.ts';
import { startVideos } from './browser/play-video.ts';
import { startSectionMenu } from './browser/section-menu.ts';

startVideos(document);
startSectionMenu(document);
startContactForm(document);
