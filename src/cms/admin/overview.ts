/**
 * The segments as Payload knows the page: its dashboard is our overview (specification section 2), which Payload has
 * at the root alone.
 */
export const payloadSegments = (segments: string[] | undefined): string[] | undefined =>
  segments?.length === 1 && segments[0] === 'overview' ? undefined : segments
