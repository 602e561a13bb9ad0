import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

import { SignJWT } from 'jose'

import { systemIds } from '#platform/ids.ts'
import { listen } from '#platform/listen.ts'
import { createPublicServer } from '../../agents/http/agent-http.ts'
import { ArchiveDoor, type ArchiveDoorDeps } from '../../agents/http/archive-door.ts'
import { ConsoleTokens } from '../../agents/http/console-token.ts'
import type { FilesDoor } from '../../agents/http/files-door.ts'
import type { PanelDoor } from '../../agents/http/panel-door.ts'
import type { PortsDoor } from '../../agents/http/ports-door.ts'
import { Revocations } from '../../agents/http/revocations.ts'
import { UsedTokens } from '../../agents/http/used-tokens.ts'
import { realDisk } from '../../agents/platform/disk.ts'
import { nextId, NODE_ID, SERVER_ID, SESSION_ID, USER_ID } from '../factories/server-spec.ts'
import { ServerRig } from './server-rig.ts'
import { waitFor } from './wait-for.ts'

export const SITE = 'http://site.test'
export const IDENTIFIER = 'acdefghk'
const MIB = 1024 * 1024

/** A node with one installed server that expired a second ago, its folder, and the archive listener. */
export class ArchiveRig {
  readonly rig = new ServerRig()
  readonly logged: string[] = []
  readonly revocations: Revocations
  readonly tokens: ConsoleTokens
  readonly #signing = generateKeyPairSync('ed25519')
  #opened: { readonly door: ArchiveDoor; readonly listener: Server } | undefined
  root = ''

  private constructor() {
    const { clock, folder } = this.rig
    clock.set(Date.UTC(2030, 0, 1))
    this.revocations = new Revocations(realDisk, path.join(folder, 'revocations.json'), clock)
    this.tokens = new ConsoleTokens(clock, () => NODE_ID)
  }

  static async open(): Promise<ArchiveRig> {
    const made = new ArchiveRig()
    await made.rig.agent()
    await made.tokens.learn([{ kid: 'key', x: String(made.#signing.publicKey.export({ format: 'jwk' }).x) }])
    made.root = await made.addServer(SERVER_ID, IDENTIFIER)
    await made.openDoor()
    return made
  }

  get door(): ArchiveDoor {
    return this.#present.door
  }

  get #present() {
    if (this.#opened === undefined) throw new Error('No door was opened.')
    return this.#opened
  }

  /** An installed server that expired a second ago; returns its empty folder. */
  async addServer(id: string, identifier: string): Promise<string> {
    await this.rig.install({ id, identifier, expiresAtMs: this.rig.clock.now() - 1_000 })
    const folder = path.join(this.rig.folder, 'servers', identifier, 'root')
    fs.mkdirSync(folder, { recursive: true })
    return folder
  }

  /** Replaces the listener, as after a restart of the agent. */
  async openDoor(figures: ArchiveDoorDeps['figures'] = {}): Promise<void> {
    this.#closeDoor()
    const write = (fields: object, message: string) => void this.logged.push(JSON.stringify({ ...fields, message }))
    const door = new ArchiveDoor({
      clock: this.rig.clock,
      tokens: this.tokens,
      revocations: this.revocations,
      timers: this.rig.timers,
      ids: systemIds,
      figures,
      log: { info: write, warn: write, error: write },
      used: new UsedTokens(realDisk, path.join(this.rig.folder, 'used-tokens.json'), this.rig.clock),
      find: (id) => this.rig.manager.find(id),
    })
    const panel = { knowsOrigin: (origin?: string) => origin === SITE } as unknown as PanelDoor
    const files = {} as unknown as FilesDoor
    const ports = {} as unknown as PortsDoor
    const listener = createPublicServer({ panel, archives: door, files, ports }) as Server
    await listen(listener, { port: 0, host: '127.0.0.1' })
    this.#opened = { door, listener }
  }

  #closeDoor(): void {
    this.#opened?.listener.closeAllConnections()
    this.#opened?.listener.close()
  }

  async close(): Promise<void> {
    this.#closeDoor()
    await waitFor('the end of the downloads', () => this.door.downloads === 0)
    this.rig.remove()
  }

  /** A token as the control plane signs it, with the test's changes. */
  token(change: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
    const iat = Math.floor(this.rig.clock.now() / 1_000)
    return new SignJWT({
      iss: 'bakter-control-plane',
      aud: NODE_ID,
      sub: USER_ID,
      sid: SESSION_ID,
      jti: nextId(),
      iat,
      exp: iat + 180,
      purpose: 'archive',
      server: SERVER_ID,
      ...change,
    })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'key', typ: 'archive+jwt', ...header })
      .sign(this.#signing.privateKey)
  }

  ask(
    token: string,
    asked: { readonly method?: string; readonly serverId?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<IncomingMessage> {
    const { method = 'GET', serverId = SERVER_ID } = asked
    const { port } = this.#present.listener.address() as AddressInfo
    const target = `/servers/${serverId}/archive?token=${token}`
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        method,
        path: target,
        agent: false,
        headers: { origin: SITE, ...asked.headers },
      }
      httpRequest(options).once('response', resolve).once('error', reject).end()
    })
  }

  /** The status of a completed response, on the client's and on the node's side. */
  async statusOf(...asked: Parameters<ArchiveRig['ask']>): Promise<number> {
    const answer = await this.ask(...asked)
    const ended = once(answer, 'close')
    answer.resume()
    await ended
    if (answer.statusCode === 200) await waitFor('the end of the download', () => this.door.downloads === 0)
    return answer.statusCode ?? 0
  }

  write(name: string | Buffer, content: string | Buffer = 'content'): void {
    fs.writeFileSync(Buffer.concat([Buffer.from(`${this.root}/`), Buffer.from(name)]), content)
  }

  /** 64 MiB of incompressible data: more than all buffers between a file and a client that reads nothing. */
  writeLarge(folder = this.root): void {
    const piece = Buffer.alloc(MIB)
    const file = fs.openSync(path.join(folder, 'large'), 'w')
    for (let at = 0; at < 64; at += 1) {
      for (let word = 0; word < MIB; word += 4) piece.writeInt32LE(Math.imul(word + at * MIB, 2_654_435_761), word)
      fs.writeSync(file, piece)
    }
    fs.closeSync(file)
  }

  /** The open files of this process below the node's folder. */
  openFiles(): string[] {
    return fs.readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const file = fs.readlinkSync(`/proc/self/fd/${fd}`)
        return file.startsWith(this.rig.folder) ? [file] : []
      } catch {
        return []
      }
    })
  }
}
