/** The activities of a server that staff read beside its owner's tickets: what the server did wrong, and nothing that a person did. */
export const SERVER_TROUBLES = [
  'server:crashed',
  'server:crash-loop',
  'server:start-failed',
  'server:start-slow',
  'server:storage-exceeded',
  'server:storage-filling',
] as const
export type ServerTrouble = (typeof SERVER_TROUBLES)[number]

/** For how many days a trouble is news, and how many of a server are shown, the newest first. */
export const TROUBLE_DAYS = 30
export const TROUBLES_SHOWN = 3
