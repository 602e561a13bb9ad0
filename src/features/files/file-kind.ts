const ENDINGS = {
  archive: ['zip', 'jar', 'gz', 'tgz', 'tar', 'zst', '7z', 'rar', 'xz', 'bz2', 'mcpack'],
  settings: ['properties', 'yml', 'yaml', 'json', 'toml', 'ini', 'cfg', 'conf', 'xml', 'env'],
  code: ['js', 'mjs', 'cjs', 'ts', 'lua', 'py', 'sh', 'sk', 'java', 'css', 'html', 'sqf'],
  picture: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'ico'],
  text: ['txt', 'log', 'md', 'csv', 'lock'],
} as const
export type FileKind = keyof typeof ENDINGS | 'other'

/** The part of a name after its last dot, in small letters; empty without one. */
export const endingOf = (name: string): string => /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The probable kind of a file, by its name. */
export const kindOfFile = (name: string): FileKind => {
  const ending = endingOf(name)
  const kinds = Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]
  return kinds.find((kind) => (ENDINGS[kind] as readonly string[]).includes(ending)) ?? 'other'
}

const PICTURE_TYPES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', ico: 'image/x-icon' }

/** The media type of a picture by its name. */
export const pictureType = (name: string): string => PICTURE_TYPES[endingOf(name)] ?? `image/${endingOf(name)}`
