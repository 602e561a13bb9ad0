import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../platform/disk.ts'
import type { FaultPoint } from '../platform/fault-point.ts'
import { removeTree } from '../platform/remove-tree.ts'
import type { Log } from '#platform/logger.ts'
import type { Quotas } from '../quota/catalog.ts'
import { hasImage, layoutOf, serversFolder, type ServerLayout } from './layout.ts'
import {
  newRecord,
  readIdentity,
  readRecord,
  refuseNewerFiles,
  writeIdentity,
  writeRecord,
  type ServerIdentity,
  type ServerRecord,
} from './state-file.ts'

export interface ServerFilesDeps {
  readonly disk: Disk
  readonly clock: Clock
  readonly log: Log
  readonly faults: FaultPoint
  readonly dataFolder: string
  readonly uidBase: number
  readonly quotas: Quotas
  /** Owner of a folder, or undefined when there is none. */
  ownerOf(folder: string): number | undefined
  /** Removes the folder of a deleted server; a process of its own does unless tests say otherwise. */
  readonly removeTree?: (target: string) => Promise<void>
}

/** A server as the disk knows it. */
export interface StoredServer {
  readonly identity: ServerIdentity
  readonly layout: ServerLayout
  readonly record: ServerRecord
}

const IDENTIFIER = /^[a-z0-9]{1,32}$/
const DELETING = '.deleting-'

/** The folders of servers under `<data>/servers`: finds, creates and removes them, and gives each its own user. */
export class ServerFiles {
  readonly #deps: ServerFilesDeps
  readonly #removeTree: (target: string) => Promise<void>
  /** Sentences about damaged files. */
  readonly reports: string[] = []

  constructor(deps: ServerFilesDeps) {
    this.#deps = deps
    this.#removeTree = deps.removeTree ?? removeTree
  }

  /**
   * Reads every server. Damaged files are reported and rebuilt as far as possible. Throws STATE_NEWER, before anything
   * is changed, when a newer agent has written here.
   */
  async readAll(): Promise<StoredServer[]> {
    const { disk, dataFolder, clock } = this.#deps
    const folder = serversFolder(dataFolder)
    disk.makeFolder(folder, 0o711)
    const layouts = this.#identifiers().map((identifier) => ({ identifier, layout: this.#layoutOf(identifier) }))
    for (const { layout } of layouts) refuseNewerFiles(disk, layout)
    for (const { identifier, layout } of layouts) await this.#openFiles(identifier, layout)
    const readings = layouts.map((found) => ({ ...found, reading: readRecord(disk, found.layout, clock.now()) }))
    // Other servers do not wait until the files of a deleted one are gone, of which there may be millions.
    for (const doomed of this.#doomed()) void this.#removeLater(doomed)
    return readings.flatMap(({ identifier, layout, reading }): StoredServer[] => {
      const read = reading.is === 'read' ? reading.record : undefined
      const identity = readIdentity(disk, layout) ?? this.#rebuildIdentity(identifier, layout, read)
      if (identity === undefined) return []
      if (reading.is === 'corrupt') {
        this.reports.push(`The record of server ${identifier} was damaged and is built again.`)
        this.#deps.log.error({ serverId: identity.id, kept: reading.kept }, 'server record rebuilt')
      }
      return [{ identity, layout, record: read ?? newRecord(null, clock.now()) }]
    })
  }

  /** Creates the folders of a new server. A creation that a crash interrupted is completed. */
  async create(spec: ServerSpec): Promise<StoredServer> {
    const { disk, clock, faults, quotas } = this.#deps
    const layout = this.#layoutOf(spec.identifier, true)
    disk.makeFolder(layout.base, 0o711)
    disk.makeFolder(layout.state, 0o700)
    disk.makeFolder(layout.console, 0o700)
    await faults('create.folders')
    await quotas.of(layout).prepare(layout, spec.limits.storageMiB)
    const uid = this.#deps.ownerOf(layout.root) ?? this.#freeUid()
    const identity: ServerIdentity = { version: 1, id: spec.id, identifier: spec.identifier, uid }
    writeIdentity(disk, layout, identity)
    await faults('create.identity')
    const record = newRecord(spec, clock.now())
    writeRecord(disk, layout, record)
    return { identity, layout, record }
  }

  /** Renamed first, so that after a crash a partial folder is never taken for a server. */
  async remove(serverId: string, layout: ServerLayout): Promise<void> {
    const { disk, dataFolder, faults, quotas } = this.#deps
    const doomed = `${serversFolder(dataFolder)}/${DELETING}${serverId}`
    await quotas.of(layout).remove(layout)
    if (!this.isGone(layout)) disk.rename(layout.base, doomed)
    await faults('delete.renamed')
    await this.#removeTree(doomed)
  }

  isGone(layout: ServerLayout): boolean {
    return this.#deps.disk.list(layout.base).length === 0
  }

  /** An existing server keeps its place, whatever the setting says now. */
  #layoutOf(identifier: string, isNew = false): ServerLayout {
    const { disk, dataFolder, quotas } = this.#deps
    const inFolder = layoutOf(dataFolder, identifier)
    const entries = disk.list(inFolder.base)
    const onImage = hasImage(entries) || (isNew && quotas.makesImages && !entries.includes('root'))
    return onImage ? layoutOf(dataFolder, identifier, true) : inFolder
  }

  /** Files that cannot be reached now are tried again at each start; what is known of the server does not lie there. */
  async #openFiles(identifier: string, layout: ServerLayout): Promise<void> {
    try {
      await this.#deps.quotas.of(layout).open(layout)
    } catch (error) {
      this.reports.push(`The files of server ${identifier} cannot be reached.`)
      this.#deps.log.error({ err: error, identifier }, 'storage not opened')
    }
  }

  /** Folders of deleted servers that are still being removed. */
  #doomed(): string[] {
    const { disk, dataFolder } = this.#deps
    const folder = serversFolder(dataFolder)
    return disk.list(folder).flatMap((name) => (name.startsWith(DELETING) ? [`${folder}/${name}`] : []))
  }

  /** Completes a deletion that ended with the agent; the next start tries again if this fails. */
  async #removeLater(doomed: string): Promise<void> {
    await this.#removeTree(doomed).catch((error: unknown) =>
      this.#deps.log.error({ err: error, doomed }, 'deleted server not removed'),
    )
  }

  #identifiers(): string[] {
    const { disk, dataFolder } = this.#deps
    return disk.list(serversFolder(dataFolder)).filter((name) => IDENTIFIER.test(name))
  }

  /** Rebuilds a damaged identity file from the server's record. A folder without a readable record is left alone. */
  #rebuildIdentity(identifier: string, layout: ServerLayout, record?: ServerRecord): ServerIdentity | undefined {
    const spec = record?.spec ?? undefined
    if (spec === undefined || spec.identifier !== identifier) {
      this.reports.push(`The folder of server ${identifier} has no readable identity and is left alone.`)
      this.#deps.log.error({ identifier }, 'server without identity')
      return undefined
    }
    const uid = this.#deps.ownerOf(layout.root) ?? this.#freeUid()
    const identity: ServerIdentity = { version: 1, id: spec.id, identifier, uid }
    writeIdentity(this.#deps.disk, layout, identity)
    this.reports.push(`The identity of server ${identifier} was damaged and is built again.`)
    return identity
  }

  /** A user that owns nothing here, not even in an unreadable folder or in one that is being removed. */
  #freeUid(): number {
    const { disk, uidBase, ownerOf } = this.#deps
    const taken = new Set([
      ...this.#identifiers().flatMap((identifier) => {
        const layout = this.#layoutOf(identifier)
        return [readIdentity(disk, layout)?.uid, ownerOf(layout.root)]
      }),
      ...this.#doomed().map((folder) => ownerOf(`${folder}/root`)),
    ])
    let uid = uidBase
    while (taken.has(uid)) uid += 1
    return uid
  }
}
