import { followVisit } from './follow-visit.ts';
import { recordedVisit } from './record-visit.ts';

// The visit script of visitors whose browser may keep a record of the visit, loaded after the first paint
// (src/browser/shell/load-visit.ts).
followVisit(recordedVisit);
