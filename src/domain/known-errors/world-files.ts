import { isNoError, readableText } from './match.ts'

/** The file of a world that a line names as damaged. `folder` is null where the line names only `level.dat`. */
export type DamagedFile =
  { readonly is: 'level'; readonly folder: string | null } | { readonly is: 'region'; readonly path: string }

/** The server's folder in its container, where the games print whole paths. */
const ROOT = /^(?:\/home\/container\/|\.\/)/
const FOLDERS = String.raw`(?:\/home\/container\/|\.\/)?(?:[\w.+()-]{1,80}\/){1,6}`
const LEVEL = new RegExp(String.raw`(?:reading|world data from) (${FOLDERS})level\.dat(?![\w])`, 'i')
const LEVEL_ONLY = /Failed to (?:load|read) level\.dat(?!\w)/i
const REGION = new RegExp(
  String.raw`Region file (${FOLDERS}r\.-?\d{1,7}\.-?\d{1,7}\.mca) has (?:truncated|invalid)`,
  'i',
)

/** A path in the server's folder; undefined for one that could lead out of it. */
const innerPath = (path: string): string | undefined => {
  const inner = path.replace(ROOT, '')
  return inner.split('/').some((name) => name === '..' || name === '.') ? undefined : inner
}

/** The damaged file that a line of the rule `world-corrupt` names by its path; undefined where it names none. */
export const damagedFileOf = (line: string): DamagedFile | undefined => {
  const text = readableText(line)
  if (isNoError(text)) return undefined
  const region = REGION.exec(text)?.[1]
  const regionPath = region === undefined ? undefined : innerPath(region)
  if (regionPath !== undefined) return { is: 'region', path: regionPath }
  const level = LEVEL.exec(text)?.[1]
  const folder = level === undefined ? undefined : innerPath(level)
  if (folder !== undefined) return { is: 'level', folder: folder.replace(/\/$/, '') }
  return LEVEL_ONLY.test(text) ? { is: 'level', folder: null } : undefined
}

/** The name under which a damaged file is kept: no game reads it, and the time of day (UTC) makes it the only one. */
export const keptPath = (path: string, nowMs: number): string =>
  `${path}_corrupt-${new Date(nowMs).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}`
