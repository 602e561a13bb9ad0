import net, { type AddressInfo, type Socket } from 'node:net'
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2'
import type { LoginAnswer, OpenLogin } from '#contracts/logins/node-login.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { FILES_TOKEN_SECONDS } from '#contracts/panel/token.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'
import type { ServerFiles } from '../files/server-files.ts'
import type { PersonActivity } from '../http/panel-session.ts'
import type { Revocations } from '../http/revocations.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import { DeniedLines } from './denied-lines.ts'
import type { HostKey } from './host-key.ts'
import { LoginThrottle } from './login-throttle.ts'
import type { AskLogin } from './login.ts'
import { SessionClient } from './session-client.ts'
import { SftpAuth } from './sftp-auth.ts'
import { serveChannel } from './sftp-channel.ts'

const { sftp: LIMITS } = OVERLOAD.agent
/** How long a connection goes on while nobody can say whether it may. */
const UNCONFIRMED_MS = FILES_TOKEN_SECONDS * 1_000

/**
 * The algorithms of current clients, without SHA-1, CBC and DSA. Clients of the last ten years share one of each line.
 */
const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group16-sha512',
  ],
  serverHostKey: ['ssh-ed25519'],
  // The library's chacha20-poly1305 holds the event loop three times as long as AES, and clients would prefer it.
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
} as const

export interface SftpServerDeps {
  readonly clock: Clock
  readonly log: Log
  readonly hostKey: HostKey
  readonly files: ServerFiles
  readonly revocations: Pick<Revocations, 'covers'>
  readonly ask: AskLogin
  /** The present permissions of open connections; null for those that must end, undefined without an answer. */
  confirm(open: readonly OpenLogin[]): Promise<readonly (readonly string[] | null)[] | undefined>
  find(serverId: string): ManagedServer | undefined
  activity(entry: PersonActivity): void
}

/** Sessions of one connection at once. */
const MAX_CHANNELS = 4
/** This many bytes may wait to be taken by a client; more is read only when it has taken some. */
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024

/** Resolves once a client has taken most of what was sent to it, or is gone. */
const whenSent = async (socket: Socket): Promise<void> => {
  while (socket.writableLength > MAX_BACKLOG_BYTES && !socket.destroyed) {
    await new Promise<void>((resolve) => {
      socket.once('drain', resolve)
      socket.once('close', resolve)
    })
  }
}

type Admitted = Extract<LoginAnswer, { ok: true }>
interface Open {
  readonly connection: Connection
  readonly address: string
  readonly socket: Socket
  channels: number
  admitted: (Admitted & { readonly atSeconds: number; readonly confirmedMs: number }) | undefined
}

/** Ends a connection: nothing of it is done from now on, and a client that takes nothing does not keep it open. */
const cut = (open: Open): void => {
  open.admitted = undefined
  open.connection.end()
  setImmediate(() => open.socket.destroy())
}

/** Serves the files of the node's servers by SFTP, each person below the folder of the server that their name names. */
export class SftpServer {
  readonly #deps: SftpServerDeps
  readonly #listeners: net.Server[] = []
  /** By address and port of the other end: the library does not give the socket of a connection. */
  readonly #sockets = new Map<string, Socket>()
  readonly #open = new Set<Open>()
  readonly #throttle: LoginThrottle
  readonly #denied: DeniedLines

  constructor(deps: SftpServerDeps) {
    this.#deps = deps
    this.#throttle = new LoginThrottle(deps.clock)
    this.#denied = new DeniedLines(deps.clock)
  }

  get connections(): number {
    return this.#open.size
  }

  /** The port of the first address. */
  get port(): number {
    const [first] = this.#listeners
    return first === undefined ? 0 : (first.address() as AddressInfo).port
  }

  /** Listens at one more address. */
  listen({ port, host }: { port: number; host: string }): Promise<void> {
    const { hostKey, log } = this.#deps
    const config = { hostKeys: [hostKey.privateKey], ident: 'Bakter', algorithms: mutable(ALGORITHMS) }
    const ssh = new ssh2.Server(config, (connection, { ip, port: from }) =>
      this.#connected(connection, ip, this.#sockets.get(`${ip} ${from}`)),
    )
    const listener = net.createServer((socket) => {
      const key = `${socket.remoteAddress ?? ''} ${socket.remotePort ?? 0}`
      this.#sockets.set(key, socket)
      socket.once('close', () => this.#sockets.delete(key))
      // Small answers are not held back: each file would take three of those waits.
      socket.setNoDelay(true)
      ssh.injectSocket(socket)
    })
    this.#listeners.push(listener)
    return new Promise((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(port, host, () => {
        listener.removeListener('error', reject)
        listener.on('error', (error: unknown) => log.warn({ err: error }, 'the SFTP listener failed'))
        resolve()
      })
    })
  }

  close(): void {
    for (const listener of this.#listeners) listener.close()
    for (const open of this.#open) cut(open)
  }

  /** Ends the connections of revoked people. */
  revoked(): void {
    for (const open of this.#open) {
      const { admitted } = open
      if (admitted === undefined) continue
      const claims = { sub: admitted.userId, sid: null, server: admitted.serverId, iat: admitted.atSeconds }
      if (this.#deps.revocations.covers(claims)) cut(open)
    }
  }

  /**
   * Asks whether the open connections may go on, and with which permissions: a changed password, a key or a share that is gone
   * ends them. Without an answer they go on as long as a token would be valid.
   */
  async check(): Promise<void> {
    const open = [...this.#open].flatMap((each) => (each.admitted === undefined ? [] : [{ each, was: each.admitted }]))
    if (open.length === 0) return
    const present = await this.#deps.confirm(
      open.map(({ was: { userId, serverId, credential } }) => ({ userId, serverId, credential })),
    )
    const nowMs = this.#deps.clock.now()
    for (const [index, { each, was }] of open.entries()) {
      const permissions = present?.[index]
      if (permissions) each.admitted = { ...was, permissions: [...permissions], confirmedMs: nowMs }
      else if (permissions === null || nowMs - was.confirmedMs > UNCONFIRMED_MS) cut(each)
    }
  }

  #connected(connection: Connection, address: string, socket: Socket | undefined): void {
    if (socket === undefined) return void connection.end()
    const open: Open = { connection, address, socket, channels: 0, admitted: undefined }
    const strangers = [...this.#open].filter(({ admitted }) => admitted === undefined)
    const near = strangers.filter((other) => other.address === address)
    if (strangers.length >= LIMITS.unproven || near.length >= LIMITS.unprovenPerAddress) return cut(open)
    this.#open.add(open)
    const late = setTimeout(() => cut(open), LIMITS.proveMs)
    const auth = new SftpAuth({
      throttle: this.#throttle,
      ask: this.#deps.ask,
      address,
      admit: (answer) => this.#admit(open, answer),
      end: () => cut(open),
    })
    connection.on('authentication', (context) => {
      auth.answer(context).catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'a sign-in by SFTP failed')
        context.reject()
      })
    })
    connection.on('ready', () => clearTimeout(late))
    connection.on('session', (accept) => {
      const session = accept()
      open.channels += 1
      if (open.channels > MAX_CHANNELS) return cut(open)
      session.on('sftp', (acceptSftp) => void this.#serve(open, acceptSftp()))
      session.on('close', () => (open.channels -= 1))
      for (const event of ['shell', 'exec', 'pty', 'env', 'x11', 'auth-agent', 'subsystem'] as const) {
        session.on(event as 'shell', (_accept, reject) => reject?.())
      }
    })
    // Malformed packets and broken connections are their senders' failures.
    connection.on('error', () => {})
    connection.on('close', () => {
      clearTimeout(late)
      this.#open.delete(open)
    })
    return undefined
  }

  /** False if the person has too many connections, or the server is not here any more. */
  #admit(open: Open, answer: Admitted): boolean {
    const own = [...this.#open].filter(({ admitted }) => admitted?.userId === answer.userId)
    const all = [...this.#open].filter(({ admitted }) => admitted !== undefined)
    const server = this.#deps.find(answer.serverId)
    const { record, spec } = server?.core ?? {}
    const isHere = server !== undefined && spec && record?.fencedAt === null && record.state !== 'deleting'
    if (!isHere || own.length >= LIMITS.perUser || all.length >= LIMITS.all) return false
    const nowMs = this.#deps.clock.now()
    open.admitted = { ...answer, atSeconds: Math.floor(nowMs / 1_000), confirmedMs: nowMs }
    return true
  }

  async #serve(open: Open, sftp: SFTPWrapper): Promise<void> {
    const { files, find, activity, log } = this.#deps
    const { admitted, address, connection } = open
    const server = admitted && find(admitted.serverId)
    if (admitted === undefined || server === undefined) return cut(open)
    const { userId, serverId } = admitted
    sftp.on('error', () => {})
    // A client that has nothing more to ask waits for the end of the channel.
    sftp.on('end', () => sftp.end())
    let give = (_client: SessionClient): void => {}
    let refuse = (_error: unknown): void => {}
    const client = new Promise<SessionClient>((resolve, reject) => ([give, refuse] = [resolve, reject]))
    client.catch(() => {})
    let known = files.measured(server).measurement
    // Listens from the beginning: the first requests arrive before the worker has started.
    serveChannel(sftp, {
      files: { call: async (call, bytes) => (await client).call(call, bytes) },
      may: (permission: Permission) => open.admitted?.permissions.includes(permission) ?? false,
      isReadOnly: () => files.isReadOnly(server),
      activity: (type, detail) =>
        activity({ serverId, userId, address, way: 'sftp', type, detail: detail.slice(0, 500) }),
      denied: (permission) => {
        if (!this.#denied.take({ serverId, userId })) return
        activity({ serverId, userId, address, way: 'sftp', type: 'server:sftp.denied', detail: permission })
      },
      whenSent: () => whenSent(open.socket),
      isAdmitted: () => open.admitted !== undefined,
      end: () => cut(open),
      beforeGrowth: () => {
        const measured = files.measured(server)
        if (measured.measurement === known) return
        known = measured.measurement
        void client.then((open) => open.call({ does: 'measured', ...measured })).catch(() => {})
      },
    })
    const closed = new Promise<void>((resolve) => {
      sftp.once('close', () => resolve())
      connection.once('close', () => resolve())
    })
    try {
      await files.use(server, async (session, room) => {
        const open = new SessionClient(session, room)
        give(open)
        await Promise.race([closed, open.ended])
        open.close()
      })
    } catch (error) {
      refuse(error)
      log.info({ err: error, serverId }, 'a connection by SFTP has no worker')
    }
    cut(open)
    return undefined
  }
}

/** The library's types want arrays that it may change. */
const mutable = (algorithms: typeof ALGORITHMS) => ({
  kex: [...algorithms.kex],
  serverHostKey: [...algorithms.serverHostKey],
  cipher: [...algorithms.cipher],
  hmac: [...algorithms.hmac],
})
