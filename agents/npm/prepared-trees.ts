import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar/fs'
import type { Tree, TreePackage } from './trees/tree-catalog.ts'

/** Tarballs that are fetched and unpacked at once, like npm. */
const AT_ONCE = 12

export interface PreparedTreesDeps {
  /** Only the agent can read and write here. */
  readonly folder: string
  readonly trees: ReadonlyMap<string, Tree>
  /** The file of a package's tarball, whose digest was verified. */
  readonly tarballOf: (wanted: TreePackage) => Promise<string>
}

/** Calls `work` for all items, so many at once. Rejects with the first failure, after those under way have ended. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Installed packages of the agent's own installers as one archive each, made once per node from verified tarballs. The next
 * installation unpacks it, and neither resolves nor decompresses anything (docs/decisions/0057-prepared-packages.md).
 */
export class PreparedTrees {
  readonly #deps: PreparedTreesDeps
  readonly #making = new Map<string, Promise<string>>()

  constructor(deps: PreparedTreesDeps) {
    this.#deps = deps
    fs.mkdirSync(deps.folder, { recursive: true, mode: 0o700 })
    // Remains of an agent that was killed while it made one, and trees of older agents.
    const current = new Set([...deps.trees].map(([name, tree]) => fileName(name, tree)))
    for (const name of fs.readdirSync(deps.folder)) {
      if (!current.has(name)) fs.rmSync(path.join(deps.folder, name), { recursive: true, force: true })
    }
  }

  has(name: string): boolean {
    return this.#deps.trees.has(name)
  }

  /** The archive of a tree, which is made if this node has none yet. Rejects with PACKAGE_REFUSED if it cannot be. */
  file(name: string): Promise<string> {
    const tree = this.#deps.trees.get(name)
    if (tree === undefined) throw new Error(`There is no tree ${name}.`)
    const file = path.join(this.#deps.folder, fileName(name, tree))
    if (fs.existsSync(file)) return Promise.resolve(file)
    const running = this.#making.get(name) ?? this.#make(tree, file).finally(() => this.#making.delete(name))
    this.#making.set(name, running)
    return running
  }

  async #make(tree: Tree, file: string): Promise<string> {
    const unpacked = `${file}.unpacked`
    const partial = `${file}.partial`
    const remove = (): void => {
      for (const each of [unpacked, partial]) fs.rmSync(each, { recursive: true, force: true })
    }
    remove()
    try {
      await forAll(tree.packages, (each) => this.#unpack(tree, each, unpacked))
      const stored = fs.createWriteStream(partial, { mode: 0o600, flush: true })
      await pipeline(packTar(unpacked), stored)
      fs.renameSync(partial, file)
      return file
    } finally {
      remove()
    }
  }

  async #unpack(tree: Tree, wanted: TreePackage, into: string): Promise<void> {
    const tarball = await this.#deps.tarballOf(wanted)
    const { folder } = wanted
    const target = path.join(into, folder)
    fs.mkdirSync(target, { recursive: true })
    await pipeline(
      fs.createReadStream(tarball),
      createGunzip(),
      // The first part of a name is the folder that the publisher packed.
      unpackTar(target, {
        strip: 1,
        dmode: 0o755,
        fmode: 0o644,
        filter: ({ name, type }) => (type === 'file' || type === 'directory') && tree.has(`${folder}/${name}`),
      }),
    )
  }
}

/** A tree of other packages has another name. */
const fileName = (name: string, { packages }: Tree): string =>
  `${name}-${createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 16)}.tar`
