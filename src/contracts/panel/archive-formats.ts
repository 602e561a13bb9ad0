/** Formats of archives that the node writes. */
export const WRITTEN_FORMATS = ['zip', 'tar.gz', 'tar.zst', 'tar'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]
/** Formats that it reads; `gz` is one compressed file, as games keep their logs. */
export const READ_FORMATS = [...WRITTEN_FORMATS, 'tar.xz', 'tar.bz2', '7z', 'gz'] as const
export type ReadFormat = (typeof READ_FORMATS)[number]

/** The endings of each format. The first match counts, so that `.tar.gz` comes before `.gz`. */
const ENDINGS: readonly (readonly [ending: string, format: ReadFormat])[] = [
  ['.tar.gz', 'tar.gz'],
  ['.tgz', 'tar.gz'],
  ['.tar.zst', 'tar.zst'],
  ['.tzst', 'tar.zst'],
  ['.tar.xz', 'tar.xz'],
  ['.txz', 'tar.xz'],
  ['.tar.bz2', 'tar.bz2'],
  ['.tbz2', 'tar.bz2'],
  ['.tar', 'tar'],
  ['.zip', 'zip'],
  ['.mcworld', 'zip'],
  ['.mcpack', 'zip'],
  ['.mrpack', 'zip'],
  ['.jar', 'zip'],
  ['.7z', '7z'],
  ['.gz', 'gz'],
]

const endingOf = (name: string): readonly [string, ReadFormat] | undefined =>
  ENDINGS.find(([ending]) => name.length > ending.length && name.toLowerCase().endsWith(ending))

/** The format of an archive by its name; undefined for everything else. */
export const formatOf = (name: string): ReadFormat | undefined => endingOf(name)?.[1]

/** The name of an archive without its ending: the folder that its content gets. */
export const stemOf = (name: string): string => name.slice(0, name.length - (endingOf(name)?.[0].length ?? 0))

/** The most entries of an archive. */
export const MAX_ARCHIVE_ENTRIES = 100_000
/** Content may be this many times larger than its archive, once it exceeds the floor. */
export const MAX_ARCHIVE_RATIO = 100
export const RATIO_FLOOR_BYTES = 10 * 1024 * 1024
