import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline as pipe, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream, ReadableWritablePair } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type TarHeader } from 'modern-tar'
import { paddingOf, tarHeader } from '../archive/tar-header.ts'
import type { Tree, TreePackage } from './trees/tree-catalog.ts'

/** Tarballs that are fetched at once, like npm. */
const AT_ONCE = 12
const READ_BYTES = 1024 * 1024
/** An archive ends with two blocks of zeros. */
const END_BYTES = 1024

export interface PreparedTreesDeps {
  /** Only the agent can read and write here. */
  readonly folder: string
  readonly trees: ReadonlyMap<string, Tree>
  /** The file of a package's tarball, whose digest was verified. */
  readonly tarballOf: (wanted: TreePackage) => Promise<string>
}

/** Asks for all tarballs in their order, so many at once; each is awaited by itself. */
function fetchAll(
  packages: readonly TreePackage[],
  tarballOf: (wanted: TreePackage) => Promise<string>,
): { readonly folder: string; readonly tarball: Promise<string> }[] {
  const asked: { readonly folder: string; readonly tarball: Promise<string> }[] = []
  for (const [at, wanted] of packages.entries()) {
    const before = asked[at - AT_ONCE]?.tarball ?? Promise.resolve('')
    const tarball = before.then(() => tarballOf(wanted))
    // Nobody awaits the others any more after the first failure.
    tarball.catch(() => {})
    asked.push({ folder: wanted.folder, tarball })
  }
  return asked
}

/** Node's own types of streams, which those of the library only resemble. */
type Decoder = ReadableWritablePair<
  { readonly header: TarHeader; readonly body: AsyncIterable<Uint8Array> },
  Uint8Array
>

/** The files of a published package as entries of an archive, below their folder. Links and folders are left out, as npm does. */
async function* filesOf(
  tarball: string,
  { folder, leftOut }: { readonly folder: string; readonly leftOut: RegExp },
): AsyncGenerator<Uint8Array> {
  const content = pipe(fs.createReadStream(tarball), createGunzip({ chunkSize: READ_BYTES }), () => {})
  const entries = (Readable.toWeb(content) as ReadableStream<Uint8Array>).pipeThrough(createTarDecoder() as Decoder)
  for await (const { header, body } of entries) {
    // The first part of a name is the folder that the publisher packed.
    const name = path.posix.join(folder, header.name.slice(header.name.indexOf('/') + 1))
    const isWanted = header.type === 'file' && name.startsWith(`${folder}/`) && !leftOut.test(name)
    const { size, mode = 0 } = header
    const entry = { name: Buffer.from(name), type: 'file', size, mode: (mode & 0o100) === 0 ? 0o644 : 0o755 } as const
    if (isWanted) yield tarHeader({ ...entry, mtimeSeconds: 0 })
    // An entry that is left out is read too: the next one comes after it.
    for await (const chunk of body) if (isWanted) yield chunk
    if (isWanted) yield Buffer.alloc(paddingOf(size))
  }
}

/**
 * Installed packages of the agent's own installers as one archive each, made once per node from verified tarballs. The next
 * installation unpacks it, and neither resolves nor decompresses anything (docs/decisions/0057-prepared-packages.md).
 */
export class PreparedTrees {
  readonly #deps: PreparedTreesDeps

  constructor(deps: PreparedTreesDeps) {
    this.#deps = deps
    fs.mkdirSync(deps.folder, { recursive: true, mode: 0o700 })
    // Remains of an agent that was killed while it made one, and trees of older agents.
    const current = new Set([...deps.trees].map(([name, tree]) => fileName(name, tree)))
    for (const name of fs.readdirSync(deps.folder)) {
      if (!current.has(name)) fs.rmSync(path.join(deps.folder, name), { recursive: true, force: true })
    }
  }

  /**
   * The archive of a tree, which is made if this node has none yet; undefined for an unknown tree. Rejects with PACKAGE_REFUSED if a
   * package cannot be fetched. The caller calls once for all who wait.
   */
  async file(name: string): Promise<string | undefined> {
    const tree = this.#deps.trees.get(name)
    if (tree === undefined) return undefined
    const file = path.join(this.#deps.folder, fileName(name, tree))
    return [file, freshOf(file)].find((each) => fs.existsSync(each)) ?? this.#make(tree, file)
  }

  async #make(tree: Tree, file: string): Promise<string> {
    const partial = `${file}.partial`
    const fresh = freshOf(file)
    try {
      await pipeline(Readable.from(this.#archiveOf(tree)), fs.createWriteStream(partial, { mode: 0o600 }))
      fs.renameSync(partial, fresh)
    } finally {
      fs.rmSync(partial, { force: true })
    }
    void keep(fresh, file)
    return fresh
  }

  /** The bytes of the archive, package by package, while the next tarballs are fetched. */
  async *#archiveOf({ packages, leftOut }: Tree): AsyncGenerator<Uint8Array> {
    for (const { folder, tarball } of fetchAll(packages, this.#deps.tarballOf)) {
      yield* filesOf(await tarball, { folder, leftOut })
    }
    yield Buffer.alloc(END_BYTES)
  }
}

/** The name of a whole archive that may not be on the disk yet. It goes when the next agent starts. */
const freshOf = (file: string): string => `${file}.fresh`

/**
 * Gives a whole archive its lasting name too, once it is on the disk: after a power failure a file of that name is whole. Nobody
 * waits for that; if it fails, the next agent makes another.
 */
async function keep(fresh: string, file: string): Promise<void> {
  try {
    const handle = await fs.promises.open(fresh)
    await handle.sync().finally(() => handle.close())
    // A second name and no other one: whoever was given the first may still open it.
    await fs.promises.link(fresh, file)
  } catch {
    // This agent goes on with the file that it has.
  }
}

/** A tree of other packages has another name. */
const fileName = (name: string, tree: Tree): string =>
  `${name}-${createHash('sha256')
    .update(JSON.stringify([tree.packages, tree.leftOut.source]))
    .digest('hex')
    .slice(0, 16)}.tar`
