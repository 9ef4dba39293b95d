/** How much one request and one event may hold. Text is cut at its limit, never refused for its length. */
export const EVENT_LIMITS = {
  /** Bytes of one request. `sendBeacon` takes no more either. */
  bodyBytes: 65_536,
  eventsPerRequest: 50,
  /** Characters (UTF-16 units), as are all limits below. */
  session: 64,
  page: 512,
  label: 256,
  campaignValue: 256,
  dataKeys: 20,
  dataText: 512,
  /** Text that a visitor wrote on purpose, such as a contact message. */
  longText: 5_000,
  listItems: 20,
  listText: 200,
} as const;
