import * as z from 'zod'

/** The abbreviated packument as returned by registries; unlisted fields pass through. */
export const Packument = z.looseObject({
  name: z.string(),
  versions: z.record(
    z.string(),
    z.looseObject({
      dist: z.looseObject({
        tarball: z.url({ protocol: /^https?$/ }),
        integrity: z.string().optional(),
        shasum: z.string().optional(),
      }),
    }),
  ),
})
export type Packument = z.infer<typeof Packument>

/** Names that registries allow; any other path is refused. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i
const MAX_NAME = 214

export type Wanted =
  | { readonly is: 'packument'; readonly name: string }
  | { readonly is: 'tarball'; readonly name: string; readonly file: string }
  | { readonly is: 'tree'; readonly name: string }

/** Registries keep names below `-` for themselves. */
const TREE = /^-\/tree\/([a-z0-9-]{1,64})$/

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The requested package, tarball or prepared tree, or undefined for any other path. */
export const wantedOf = (path: string): Wanted | undefined => {
  const text = decoded(path.split('?', 1)[0] ?? '')?.slice(1)
  if (text === undefined) return undefined
  const [, tree] = TREE.exec(text) ?? []
  if (tree !== undefined) return { is: 'tree', name: tree }
  const [name = '', file, ...more] = text.split('/-/')
  if (!NAME.test(name) || name.length > MAX_NAME || more.length > 0) return undefined
  if (file === undefined) return { is: 'packument', name }
  return /^[a-z0-9._~+-]+\.tgz$/i.test(file) ? { is: 'tarball', name, file } : undefined
}

export const fileOf = (tarball: string): string => new URL(tarball).pathname.split('/').at(-1) ?? ''

/** The packument with tarball addresses below `base`. */
export const servedFrom = (packument: Packument, base: string): Packument => ({
  ...packument,
  versions: Object.fromEntries(
    Object.entries(packument.versions).map(([version, { dist, ...rest }]) => [
      version,
      { ...rest, dist: { ...dist, tarball: `${base}/${packument.name}/-/${fileOf(dist.tarball)}` } },
    ]),
  ),
})
