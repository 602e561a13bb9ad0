/**
 * The groups of a server's activities, and the types of each. A trailing star stands for every type that begins like
 * this, so that a new action of a known subject is in its group from the start.
 */
export const ACTIVITY_TYPES = {
  power: ['server.start', 'server.stop', 'server.restart', 'server.kill', 'server:power.*'],
  state: [
    'server:crashed',
    'server:crash-loop',
    'server:start-failed',
    'server:start-slow',
    'server:storage-exceeded',
    'server:storage-filling',
    'server:moved-by-force',
    'server.expired',
    'server.expired-deleted',
  ],
  console: ['server:console.*'],
  files: ['server:file.*', 'server:sftp.*', 'auth:sftp.*', 'server.archive'],
  saves: ['server:backup.*'],
  databases: ['server:database.*'],
  timers: ['server:schedule.*', 'server:task.*', 'server:timer.*'],
  networks: ['server:allocation.*', 'server:subdomain.*'],
  startup: ['server:startup.*'],
  users: ['server:subuser.*'],
  settings: ['server:settings.*', 'server:reinstall', 'server:reinstall.*'],
  contract: [
    'order.*',
    'withdrawal.*',
    'staff.*',
    'server.renewed',
    'server.auto-*',
    'server.modified',
    'server.package-*',
    'server.size-refused',
    'server.converted',
    'server.refunded',
    'server.test-granted',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ActivityGroup = keyof typeof ACTIVITY_TYPES

export const ACTIVITY_GROUPS = Object.keys(ACTIVITY_TYPES) as [ActivityGroup, ...ActivityGroup[]]

const fits = (pattern: string, type: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern

/** The group of a type; `other` for one of a newer program. */
export const groupOfActivity = (type: string): ActivityGroup | 'other' =>
  ACTIVITY_GROUPS.find((group) => ACTIVITY_TYPES[group].some((pattern) => fits(pattern, type))) ?? 'other'

/** The types of groups as patterns of SQL's `like`. */
export const likeActivities = (groups: readonly ActivityGroup[]): string[] =>
  groups.flatMap((group) =>
    ACTIVITY_TYPES[group].map((pattern) => pattern.replaceAll(/[\\_%]/g, String.raw`\$&`).replace(/\*$/, '%')),
  )
