import * as z from 'zod'
import flyingSquid from './flying-squid.json' with { type: 'json' }

const Lock = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional(), integrity: z.string().optional() })),
})

/** A package of a tree: the folder below the server's own, and the tarball that belongs there. */
export interface TreePackage {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly integrity: string
}

export interface Tree {
  readonly packages: readonly TreePackage[]
  /** Files that the tree lacks, by their path below the server's folder. */
  readonly leftOut: RegExp
}

/** A name in front of its file, as registries serve it: without the scope. */
const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * The packages of an npm lock file (version 3). Throws for one without a version or a digest: it could not be verified.
 */
export const packagesOf = (lock: unknown): TreePackage[] =>
  Object.entries(Lock.parse(lock).packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, { version, integrity }]) => {
      if (version === undefined || integrity === undefined) throw new Error(`${folder} has no version or digest.`)
      return { folder, name: nameOf(folder), version, integrity }
    })

/** Data of the versions of Minecraft's other edition, three quarters of all bytes, which flying-squid cannot use. */
const OTHER_EDITION = /^node_modules\/minecraft-data\/minecraft-data\/data\/bedrock\/\d/

/** The trees that the agent's own installers ask for: the whole list. */
export const TREES: ReadonlyMap<string, Tree> = new Map([
  ['flying-squid', { packages: packagesOf(flyingSquid), leftOut: OTHER_EDITION }],
])
