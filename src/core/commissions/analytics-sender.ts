/**
 * Sends a body to analytics. `sent`: accepted. `refused`: it certainly did not arrive. `unknown`: it may have arrived.
 * Never rejects.
 */
export type AnalyticsSender = (body: object) => Promise<'sent' | 'refused' | 'unknown'>;
