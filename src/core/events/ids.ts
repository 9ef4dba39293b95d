/** A UUID of any version, in either case: the id of an event and the token of a click. */
export const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The random id of a browser session; empty when the browser could not store one. */
export const SESSION_PATTERN = /^[A-Za-z0-9_-]{0,64}$/;
