/** The agent's path that answers any browser of the site at once, without a body: the time it takes is the ping. */
export const PING_PATH = '/ping'

export const pingUrlOf = (nodeUrl: string): string => new URL(PING_PATH, nodeUrl).href
