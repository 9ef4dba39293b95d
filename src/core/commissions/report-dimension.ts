/** What a report can be grouped by. */
export const REPORT_DIMENSIONS = ['page', 'placement', 'campaign', 'answer', 'partner', 'month'] as const;
export type ReportDimension = (typeof REPORT_DIMENSIONS)[number];
