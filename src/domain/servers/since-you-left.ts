import type { PermissionKey } from './permissions.ts'

/** Somebody who had a server's panel open within this time has not been away. */
export const AWAY_FROM_MS = 600_000

/** How often an open panel notes that its reader is there, and not more often. */
export const SEEN_EVERY_MS = 60_000

/** The most lines of the news. */
export const MOST_LINES = 5

/** The kinds of news with their types of activities, the most important kind first. A trailing star stands for all types that begin like this. */
const TYPES_OF = {
  crashLoop: ['server:crash-loop'],
  crashed: ['server:crashed'],
  storageFull: ['server:storage-exceeded'],
  expired: ['server.expired'],
  startFailed: ['server:start-failed'],
  reinstallFailed: ['server:reinstall.failed'],
  reinstalled: ['server:reinstall.keep', 'server:reinstall.wipe'],
  storageFilling: ['server:storage-filling'],
  moved: ['server:moved-by-force'],
  killed: ['server.kill', 'server:power.kill'],
  stopped: ['server.stop', 'server:power.stop'],
  restarted: ['server.restart', 'server:power.restart'],
  started: ['server.start', 'server:power.start'],
  collaboratorJoined: ['server:subuser.accept'],
  collaboratorInvited: ['server:subuser.create'],
  collaboratorRemoved: ['server:subuser.delete'],
  collaboratorLeft: ['server:subuser.leave'],
  collaboratorEnded: ['server:subuser.end'],
  collaboratorChanged: ['server:subuser.update'],
  startup: ['server:startup.edit', 'server:startup.image'],
  networks: ['server:allocation.*'],
  settings: ['server:settings.*'],
  files: [
    'server:file.write',
    'server:file.uploaded',
    'server:file.create',
    'server:file.create-directory',
    'server:file.rename',
    'server:file.copy',
    'server:file.compress',
    'server:file.decompress',
    'server:file.pull',
    'server:file.move-to',
    'server:file.arrive',
    'server:file.delete',
    'server:file.restore',
    'server:file.chmod',
    'server:sftp.*',
  ],
  renewed: ['server.renewed', 'server.auto-renewed'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type NewsKind = keyof typeof TYPES_OF

export const NEWS_KINDS = Object.keys(TYPES_OF) as [NewsKind, ...NewsKind[]]

/** Kinds that the console shows by itself to whoever reads it. */
const OF_CONSOLE: readonly NewsKind[] = [
  'crashLoop',
  'crashed',
  'startFailed',
  'killed',
  'stopped',
  'restarted',
  'started',
]

/** A machine's report is news also when it says that something failed. */
const FAILURES: readonly NewsKind[] = ['crashLoop', 'crashed', 'storageFull', 'startFailed', 'reinstallFailed', 'moved']

const fits = (pattern: string, type: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern

/** The kind of news that a type of activity is; undefined for one that is none. */
export const newsKindOf = (type: string): NewsKind | undefined =>
  NEWS_KINDS.find((kind) => TYPES_OF[kind].some((pattern) => fits(pattern, type)))

/** Activities of one type that the same actor did, as the log counts them. */
export type Happened = {
  readonly type: string
  /** A person by their id, or `server` or `system`. */
  readonly actor: string
  readonly isFailure: boolean
  readonly count: number
  readonly lastMs: number
  /** The text of the newest one; empty if the reader may not see it. */
  readonly detail: string
}

export type NewsReader = { readonly userId: string; readonly permissions: readonly PermissionKey[] }

export type NewsLine = {
  readonly kind: NewsKind
  /** The type of the newest activity. */
  readonly type: string
  /** Null for readers who may not see who did it. */
  readonly actor: string | null
  readonly count: number
  readonly lastMs: number
  readonly detail: string
}

export type News = {
  readonly lines: readonly NewsLine[]
  /** How many activities of others no line tells about; none for a reader who may not look them up. */
  readonly more: number
}

/** Whether a reader comes back after an absence. */
export const wasAway = (seenAtMs: number, nowMs: number): boolean => nowMs - seenAtMs >= AWAY_FROM_MS

const maySeeLog = ({ permissions }: NewsReader): boolean => permissions.includes('activity.view')

const isNews = ({ type, isFailure }: Happened, reader: NewsReader): boolean => {
  const kind = newsKindOf(type)
  if (kind === undefined || (isFailure && !FAILURES.includes(kind))) return false
  return maySeeLog(reader) || OF_CONSOLE.includes(kind)
}

const joined = (one: NewsLine, other: NewsLine): NewsLine => {
  const newest = other.lastMs > one.lastMs ? other : one
  return { ...newest, count: one.count + other.count }
}

const byImportance = (one: NewsLine, other: NewsLine): number =>
  NEWS_KINDS.indexOf(one.kind) - NEWS_KINDS.indexOf(other.kind) ||
  other.lastMs - one.lastMs ||
  (one.actor ?? '').localeCompare(other.actor ?? '')

/** Acts of one kind by one actor are one line. */
const folded = (happened: readonly Happened[], reader: NewsReader): NewsLine[] => {
  const lines = new Map<string, NewsLine>()
  for (const { type, actor: by, count, lastMs, detail } of happened) {
    const kind = newsKindOf(type)
    if (kind === undefined) continue
    const actor = maySeeLog(reader) ? by : null
    const line = { kind, type, actor, count, lastMs, detail: maySeeLog(reader) ? detail : '' }
    const known = lines.get(`${kind} ${actor}`)
    lines.set(`${kind} ${actor}`, known === undefined ? line : joined(known, line))
  }
  return [...lines.values()].toSorted(byImportance)
}

const total = (counted: readonly { readonly count: number }[]): number =>
  counted.reduce((sum, { count }) => sum + count, 0)

/**
 * The news of a server for a reader who was away: at most five lines, the most important first, like ones folded. The
 * reader's own actions are none. Without the permission to view activities the lines tell what the console shows, and no names.
 */
export const newsOf = (happened: readonly Happened[], reader: NewsReader): News => {
  const ofOthers = happened.filter(({ actor }) => actor !== reader.userId)
  const all = folded(
    ofOthers.filter((each) => isNews(each, reader)),
    reader,
  )
  const lines = all.slice(0, MOST_LINES)
  return { lines, more: maySeeLog(reader) && lines.length > 0 ? total(ofOthers) - total(lines) : 0 }
}
