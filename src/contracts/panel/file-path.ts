/**
 * Paths of a server's files on the wire: relative to the server's folder, separated by `/`, without a slash at either
 * end. The folder itself is the empty path.
 */
export const MAX_PATH_BYTES = 4_096
/** The longest name that Linux file systems have (NAME_MAX). */
export const MAX_NAME_BYTES = 255
/** No game needs more, and each level of a walk holds a folder open. */
export const MAX_PATH_DEPTH = 64

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
const CONTROL = /[\u0000-\u001f\u007f]/

/** Decodes what a careless server in between would decode: at most twice, as attacks do. */
const decoded = (name: string): string => {
  let text = name
  for (let times = 0; times < 2; times += 1)
    text = text.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\').replaceAll(/%25/g, '%')
  return text
}

/** Whether a name climbs when something else than this node reads it: `..\`, `%2e%2e`, `..%2f`. */
const climbs = (name: string): boolean =>
  decoded(name)
    .split(/[/\\]/)
    .some((part) => part === '..' || part === '....')

const isName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '~' &&
  !name.includes('\0') &&
  bytesOf(name) <= MAX_NAME_BYTES &&
  !climbs(name)

/** The names along a path, none for the folder itself; undefined if the path is not valid. */
export const partsOfPath = (path: string): readonly string[] | undefined => {
  if (path === '') return []
  if (bytesOf(path) > MAX_PATH_BYTES) return undefined
  const parts = path.split('/')
  return parts.length <= MAX_PATH_DEPTH && parts.every(isName) ? parts : undefined
}

/** Whether something new may have this name: as in a path, but one line, and without blanks at its ends. */
export const isNewName = (name: string): boolean =>
  isName(name) && !name.includes('/') && !CONTROL.test(name) && name.trim() === name

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** `world (2).zip`: the name beside one that exists. The ending of an archive such as `.tar.gz` stays together. */
export const numberedName = (name: string, number: number): string => {
  const ending = /(\.tar)?\.[^.]+$/.exec(name.slice(1))?.[0] ?? ''
  return `${name.slice(0, name.length - ending.length)} (${number})${ending}`
}

/** A name that is taken gets a number, as often as this. */
const MOST_NUMBERS = 50

/** The path itself, and then the numbered ones beside it, for whoever takes the first that is free. */
export const numberedPaths = (path: string): string[] => [
  path,
  ...Array.from({ length: MOST_NUMBERS - 1 }, (_, index) =>
    joinPath(folderOf(path), numberedName(nameOf(path), index + 2)),
  ),
]
