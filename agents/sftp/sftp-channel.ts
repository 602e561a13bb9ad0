import path from 'node:path'
import ssh2, { type InputAttributes, type SFTPWrapper } from 'ssh2'
import type { Permission } from '#contracts/panel/permissions.ts'
import { PERMISSION_OF_SFTP_VERB as NEEDS } from '#contracts/panel/sftp-verbs.ts'
import { FileFailure, refusalOf } from '../files/file-failure.ts'
import type { SessionAnswer, SessionCall } from '../files/session-wire.ts'
import { MissingPermission } from '../http/missing-permission.ts'
import { attrsOf, changeOf, entryOf } from './attributes.ts'
import type { SessionClient } from './session-client.ts'

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp
/** A larger read is answered in part, which every client expects. */
const MAX_READ = 128 * 1024
/** Requests without an answer, and answers that the client has no window for. Clients have 64 at once; more is an attack on our memory. */
const MAX_OPEN_REQUESTS = 512
const HANDLE_BYTES = 4

/** Clients show these texts beside the status; they have no catalog of ours. */
const MESSAGES: Readonly<Record<string, string>> = {
  FORBIDDEN: 'You do not have permission to do this on this server.',
  READ_ONLY: 'The files of this server can only be read at the moment.',
  NO_SPACE: 'The storage of this server is full.',
  NODE_FULL: "The disk of this server's machine is almost full. Deleting still works.",
  ALREADY_EXISTS: 'It already exists, and nothing is replaced.',
  LINK_REFUSED: 'It is a link, and links are not followed.',
  INVALID_PATH: 'This is not a path of this server.',
  NOT_A_FILE: 'It is not a file.',
  NOT_A_FOLDER: 'It is not a folder.',
  DENIED: 'It belongs to another user.',
  BUSY: 'Too much is open. Try again.',
}
const STATUSES: Readonly<Record<string, number>> = {
  NOT_FOUND: STATUS_CODE.NO_SUCH_FILE,
  FORBIDDEN: STATUS_CODE.PERMISSION_DENIED,
  READ_ONLY: STATUS_CODE.PERMISSION_DENIED,
  DENIED: STATUS_CODE.PERMISSION_DENIED,
  LINK_REFUSED: STATUS_CODE.PERMISSION_DENIED,
}

export interface SftpChannelDeps {
  readonly files: Pick<SessionClient, 'call'>
  /** Whether the holder may do this now. */
  may(permission: Permission): boolean
  /** Whether nothing may change now, whoever asks. */
  isReadOnly(): boolean
  activity(type: string, detail: string): void
  /** A request was refused, because its sender lacks this permission. */
  denied(permission: Permission): void
  /** Before something grows: the worker learns what is left. */
  beforeGrowth(): void
  /** Resolves once the client has taken most of what was sent to it. */
  whenSent(): Promise<void>
  /** False from the moment that access has ended, whatever the client still sends. */
  isAdmitted(): boolean
  /** Ends the connection. */
  end(): void
}

/** Requests that change one thing by its path. */
type ChangingVerb = 'SETSTAT' | 'MKDIR' | 'RMDIR' | 'REMOVE' | 'RENAME'

/** The text that the client shows: a missing permission by its key. */
const messageOf = (error: unknown): string | undefined => {
  if (error instanceof MissingPermission)
    return `You do not have permission to do this on this server (${error.permission}).`
  return MESSAGES[refusalOf(error)]
}

/** A path of SFTP below the server's folder, which is its root: `..` never leads above it. */
export const serverPath = (sftpPath: string): string => path.posix.normalize(`/${sftpPath}`).replace(/^\/|\/$/g, '')

const numberOf = (handle: Buffer): number => {
  if (handle.length !== HANDLE_BYTES) throw new FileFailure('INVALID_REQUEST')
  return handle.readUInt32BE(0)
}

const handleOf = (number: number | undefined): Buffer => {
  const handle = Buffer.alloc(HANDLE_BYTES)
  handle.writeUInt32BE(number ?? 0, 0)
  return handle
}

interface Written {
  readonly path: string
  readonly isNew: boolean
  hasChanged: boolean
}

/** Answers the requests of one channel. */
class SftpChannel {
  readonly #deps: SftpChannelDeps
  readonly #sftp: SFTPWrapper
  readonly #written = new Map<number, Written>()
  #running = 0

  constructor(sftp: SFTPWrapper, deps: SftpChannelDeps) {
    this.#sftp = sftp
    this.#deps = deps
    this.#serveFiles()
    this.#serveFolders()
    // No link is made through SFTP: nothing here would follow it.
    for (const event of ['SYMLINK', 'EXTENDED'] as const) {
      sftp.on(event, (id: number) => sftp.status(id, STATUS_CODE.OP_UNSUPPORTED))
    }
  }

  #serveFiles(): void {
    const sftp = this.#sftp
    sftp.on('OPEN', (id, ...[file, flags, attributes]) =>
      this.#run(id, () => this.#open(id, { file, flags, attributes })),
    )
    sftp.on('READ', (id, ...[handle, at, length]) =>
      this.#run(id, async () => {
        this.#need(NEEDS.READ)
        const call = { does: 'read', handle: numberOf(handle), at, length: Math.min(length, MAX_READ) } as const
        await this.#deps.whenSent()
        const { bytes } = await this.#deps.files.call(call)
        if (bytes.length === 0) sftp.status(id, STATUS_CODE.EOF)
        else sftp.data(id, bytes)
      }),
    )
    sftp.on('WRITE', (id, ...[handle, at, bytes]) =>
      this.#run(id, async () => {
        const number = numberOf(handle)
        this.#refuseReadOnly()
        this.#deps.beforeGrowth()
        const written = this.#written.get(number)
        if (written === undefined) throw new FileFailure('INVALID_REQUEST')
        this.#need(written.isNew ? NEEDS.WRITE.create : NEEDS.WRITE.change)
        written.hasChanged = true
        // The library gives a view of its own buffer.
        await this.#deps.files.call({ does: 'write', handle: number, at }, Buffer.from(bytes))
        sftp.status(id, STATUS_CODE.OK)
      }),
    )
    sftp.on('CLOSE', (id, handle) => this.#run(id, () => this.#close(id, numberOf(handle))))
    sftp.on('FSTAT', (id, handle) =>
      this.#run(id, async () => {
        this.#need(NEEDS.FSTAT)
        this.#attributes(id, await this.#ask({ does: 'stat handle', handle: numberOf(handle) }))
      }),
    )
    sftp.on('FSETSTAT', (id, handle, attributes) =>
      this.#run(id, async () => {
        this.#refuseReadOnly()
        const number = numberOf(handle)
        this.#need(this.#written.get(number)?.isNew ? NEEDS.FSETSTAT.create : NEEDS.FSETSTAT.change)
        this.#deps.beforeGrowth()
        await this.#ask({ does: 'change handle', handle: number, change: changeOf(attributes) })
        sftp.status(id, STATUS_CODE.OK)
      }),
    )
  }

  #serveFolders(): void {
    const sftp = this.#sftp
    for (const verb of ['STAT', 'LSTAT'] as const) {
      sftp.on(verb as 'STAT', (id, target) =>
        this.#run(id, async () => {
          this.#need(NEEDS[verb])
          this.#attributes(id, await this.#ask({ does: 'stat', path: serverPath(target) }))
        }),
      )
    }
    sftp.on('SETSTAT', (id, target, attributes) =>
      this.#change(id, 'SETSTAT', async () => {
        this.#deps.beforeGrowth()
        await this.#ask({ does: 'change', path: serverPath(target), change: changeOf(attributes) })
        return ['server:sftp.write', target]
      }),
    )
    sftp.on('OPENDIR', (id, target) =>
      this.#run(id, async () => {
        this.#need(NEEDS.OPENDIR)
        sftp.handle(id, handleOf((await this.#ask({ does: 'open folder', path: serverPath(target) })).handle))
      }),
    )
    sftp.on('READDIR', (id, handle) =>
      this.#run(id, async () => {
        this.#need(NEEDS.READDIR)
        const { entries = [] } = await this.#ask({ does: 'read folder', handle: numberOf(handle) })
        if (entries.length === 0) sftp.status(id, STATUS_CODE.EOF)
        else sftp.name(id, entries.map(entryOf))
      }),
    )
    sftp.on('REALPATH', (id, target) => sftp.name(id, [nameOnly(`/${serverPath(target)}`)]))
    sftp.on('READLINK', (id, target) =>
      this.#run(id, async () => {
        this.#need(NEEDS.READLINK)
        sftp.name(id, [nameOnly((await this.#ask({ does: 'read link', path: serverPath(target) })).target ?? '')])
      }),
    )
    sftp.on('MKDIR', (id, target) =>
      this.#change(id, 'MKDIR', async () => {
        await this.#ask({ does: 'make folder', path: serverPath(target) })
        return ['server:sftp.create-directory', target]
      }),
    )
    sftp.on('RMDIR', (id, target) =>
      this.#change(id, 'RMDIR', async () => {
        await this.#ask({ does: 'remove folder', path: serverPath(target) })
        return ['server:sftp.delete', target]
      }),
    )
    sftp.on('REMOVE', (id, target) =>
      this.#change(id, 'REMOVE', async () => {
        await this.#ask({ does: 'remove file', path: serverPath(target) })
        return ['server:sftp.delete', target]
      }),
    )
    sftp.on('RENAME', (id, from, to) =>
      this.#change(id, 'RENAME', async () => {
        await this.#ask({ does: 'rename', from: serverPath(from), to: serverPath(to) })
        return ['server:sftp.rename', `${serverPath(from)} → ${serverPath(to)}`]
      }),
    )
  }

  async #open(id: number, { file, flags, attributes }: Opened): Promise<void> {
    const has = (mode: number): boolean => (flags & mode) !== 0
    const writes = has(OPEN_MODE.WRITE) || has(OPEN_MODE.APPEND)
    // A file that is only written may be opened without reading it.
    if (!writes || has(OPEN_MODE.READ)) this.#need(NEEDS.OPEN.read)
    if (writes) this.#refuseReadOnly()
    const target = serverPath(file)
    const answer = await this.#ask({
      does: 'open',
      path: target,
      flags: {
        writes,
        creates: has(OPEN_MODE.CREAT),
        exclusive: has(OPEN_MODE.EXCL),
        truncates: has(OPEN_MODE.TRUNC),
        appends: has(OPEN_MODE.APPEND),
        mayCreate: this.#deps.may(NEEDS.OPEN.create),
        mayChange: this.#deps.may(NEEDS.OPEN.change),
        // With the request, because a second one would take as long as all the rest of a small file.
        ...(attributes.mode === undefined ? {} : { mode: Number(attributes.mode) }),
      },
    }).catch((error: unknown) => {
      // Which of the two it needs is known only where the file is.
      if (writes && refusalOf(error) === 'FORBIDDEN') this.#needAll([NEEDS.OPEN.create, NEEDS.OPEN.change])
      throw error
    })
    const { handle = 0, isNew = false } = answer
    if (writes) this.#written.set(handle, { path: target, isNew, hasChanged: isNew || has(OPEN_MODE.TRUNC) })
    this.#sftp.handle(id, handleOf(handle))
  }

  async #close(id: number, handle: number): Promise<void> {
    await this.#ask({ does: 'close', handle })
    const written = this.#written.get(handle)
    this.#written.delete(handle)
    if (written?.hasChanged)
      this.#deps.activity(written.isNew ? 'server:sftp.create' : 'server:sftp.write', written.path)
    this.#sftp.status(id, STATUS_CODE.OK)
  }

  /** A change of one thing, with its line of the log. */
  #change(id: number, verb: ChangingVerb, run: () => Promise<readonly [type: string, detail: string]>): void {
    this.#run(id, async () => {
      this.#need(NEEDS[verb])
      this.#refuseReadOnly()
      const [type, detail] = await run()
      this.#deps.activity(type, detail.replace(/^\//, ''))
      this.#sftp.status(id, STATUS_CODE.OK)
    })
  }

  /** Answers that wait in the library's memory until the client opens its window; it has no name for them. */
  get #unsent(): number {
    return (this.#sftp as SFTPWrapper & { readonly _buffer?: readonly unknown[] })._buffer?.length ?? 0
  }

  #run(id: number, run: () => Promise<void>): void {
    if (!this.#deps.isAdmitted() || this.#running + this.#unsent >= MAX_OPEN_REQUESTS) return this.#deps.end()
    this.#running += 1
    run()
      .catch((error: unknown) => {
        const code = refusalOf(error)
        if (error instanceof MissingPermission) this.#deps.denied(error.permission)
        this.#sftp.status(id, STATUSES[code] ?? STATUS_CODE.FAILURE, messageOf(error))
      })
      .finally(() => (this.#running -= 1))
    return undefined
  }

  async #ask(call: SessionCall): Promise<SessionAnswer> {
    return (await this.#deps.files.call(call)).answer
  }

  #attributes(id: number, { attributes }: SessionAnswer): void {
    if (attributes !== undefined) this.#sftp.attrs(id, attrsOf(attributes))
  }

  #need(permission: Permission): void {
    this.#needAll([permission])
  }

  /** Throws for the first that the holder does not have now. */
  #needAll(permissions: readonly Permission[]): void {
    const missing = permissions.find((permission) => !this.#deps.may(permission))
    if (missing !== undefined) throw new MissingPermission(missing)
  }

  #refuseReadOnly(): void {
    if (this.#deps.isReadOnly()) throw new FileFailure('READ_ONLY')
  }
}

/** Serves the SFTP of one channel until it closes: it asks for the permission of each request, and a worker does it. */
export const serveChannel = (sftp: SFTPWrapper, deps: SftpChannelDeps): void => void new SftpChannel(sftp, deps)

interface Opened {
  readonly file: string
  readonly flags: number
  readonly attributes: InputAttributes
}

const NO_ATTRIBUTES = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 }
const nameOnly = (filename: string) => ({ filename, longname: filename, attrs: NO_ATTRIBUTES })
