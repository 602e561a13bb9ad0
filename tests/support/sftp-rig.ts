import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { Client, type SFTPWrapper } from 'ssh2'

import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { openHostKey } from '../../agents/sftp/host-key.ts'
import type { LoginAnswer, LoginRequest, OpenLogin } from '#contracts/logins/node-login.ts'
import { SftpServer } from '../../agents/sftp/sftp-server.ts'
import { realDisk } from '../../agents/platform/disk.ts'
import { SERVER_ID, USER_ID } from '../factories/server-spec.ts'
import { FilesRig, IDENTIFIER } from './files-rig.ts'

export const PASSWORD = 'a password of the test'

/** How a run of a client ended. */
export interface Ended {
  readonly code: number
  readonly output: string
}

/** A node with SFTP, whose sign-ins the test decides, and OpenSSH's own client. */
export class SftpRig {
  readonly files: FilesRig
  readonly server: SftpServer
  readonly asked: LoginRequest[] = []
  permissions: readonly Permission[] = PERMISSIONS
  /** The answer of the check of open connections; without it nobody answers. */
  confirm: ((open: readonly OpenLogin[]) => (readonly string[] | null)[]) | undefined
  /** Decides instead of the password and the key of the test. */
  decide: ((request: LoginRequest) => LoginAnswer) | undefined

  private constructor(files: FilesRig) {
    this.files = files
    const { clock, manager } = files.rig
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    this.server = new SftpServer({
      clock,
      log,
      hostKey: openHostKey(realDisk, path.join(files.rig.folder, 'sftp-host-key')),
      files: files.serverFiles,
      revocations: files.revocations,
      confirm: (open) => Promise.resolve(this.confirm?.(open)),
      ask: (request) => Promise.resolve(this.#answer(request)),
      find: (id) => manager.find(id),
      activity: (entry) => void files.activities.push(entry),
    })
  }

  static async open(files?: FilesRig): Promise<SftpRig> {
    const rig = new SftpRig(files ?? (await FilesRig.open()))
    await rig.server.listen({ port: 0, host: '127.0.0.1' })
    await rig.#makeKey('id_ed25519', ['-t', 'ed25519'])
    return rig
  }

  get folder(): string {
    return this.files.rig.folder
  }

  get keyFile(): string {
    return path.join(this.folder, 'id_ed25519')
  }

  /** The key as the site stores it: the second word of the line. */
  publicKey(name = 'id_ed25519'): string {
    return fs.readFileSync(path.join(this.folder, `${name}.pub`), 'utf8').split(' ')[1] ?? ''
  }

  async #makeKey(name: string, args: readonly string[]): Promise<void> {
    await run('ssh-keygen', ['-q', '-N', '', ...args, '-f', path.join(this.folder, name)])
  }

  makeKey(name: string, ...args: string[]): Promise<void> {
    return this.#makeKey(name, args)
  }

  #answer(request: LoginRequest): LoginAnswer {
    this.asked.push(request)
    if (this.decide !== undefined) return this.decide(request)
    const { proof, identifier, username } = request
    const isRight = 'password' in proof ? proof.password === PASSWORD : proof.publicKey === this.publicKey()
    if (!isRight || identifier !== IDENTIFIER || username !== 'customer') return { ok: false, why: 'refused' }
    return this.granted
  }

  get granted(): LoginAnswer {
    return {
      ok: true,
      userId: USER_ID,
      serverId: SERVER_ID,
      permissions: [...this.permissions],
      credential: { kind: 'password', id: null, sinceMs: 0 },
    }
  }

  /** Options that keep OpenSSH's client off the machine's own keys and known hosts. */
  options(key = this.keyFile): string[] {
    return [
      ['StrictHostKeyChecking', 'no'],
      ['UserKnownHostsFile', '/dev/null'],
      ['LogLevel', 'ERROR'],
      ['IdentitiesOnly', 'yes'],
      ['IdentityFile', key],
      ['IdentityAgent', 'none'],
      ['BatchMode', 'yes'],
    ].flatMap(([name, value]) => ['-o', `${name}=${value}`])
  }

  /** OpenSSH's `sftp` with these commands, one a line. */
  sftp(
    commands: readonly string[],
    { key, password, cipher }: { readonly key?: string; readonly password?: string; readonly cipher?: string } = {},
  ): Promise<Ended> {
    const batch = path.join(this.folder, 'batch')
    fs.writeFileSync(batch, commands.join('\n'))
    const port = String(this.server.port)
    const target = `customer.${IDENTIFIER}@127.0.0.1`
    const common = ['-F', '/dev/null', '-P', port, ...(cipher === undefined ? [] : ['-c', cipher])]
    if (password === undefined) return run('sftp', [...common, ...this.options(key), '-b', batch, target])
    // Without a terminal the client asks this program.
    const asking = path.join(this.folder, 'ask')
    fs.writeFileSync(asking, `#!/bin/sh\necho '${password}'\n`, { mode: 0o755 })
    const byPassword = this.options('/dev/null').map((option) =>
      option.replace('BatchMode=yes', 'BatchMode=no').replace('LogLevel=ERROR', 'LogLevel=INFO'),
    )
    const env = { ...process.env, SSH_ASKPASS: asking, SSH_ASKPASS_REQUIRE: 'force' }
    return run('sftp', [...common, ...byPassword, target], { env, input: commands.join('\n') })
  }

  async close(): Promise<void> {
    this.server.close()
    await this.files.close()
  }
}

const run = (
  program: string,
  args: readonly string[],
  { env = process.env, input = '' }: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env } as const
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, output: `${stdout}\n${stderr}` })
    })
    child.stdin?.on('error', () => {}).end(input)
  })

interface Connected {
  readonly ok: boolean
  readonly client: Client
  /** The texts that the server asked to be shown. */
  readonly texts: readonly string[]
}

/** A sign-in with a library, which tells more than OpenSSH's program. It ends at once, unless it is to stay. */
export const connect = (
  rig: SftpRig,
  { password, prompt }: { readonly password?: string; readonly prompt?: string },
  ends = true,
): Promise<Connected> =>
  new Promise((resolve) => {
    const client = new Client()
    const texts: string[] = []
    const settled = (ok: boolean): void => {
      if (ends || !ok) client.end()
      resolve({ ok, client, texts })
    }
    client.on('ready', () => settled(true))
    client.on('error', () => settled(false))
    client.on('close', () => settled(false))
    client.on('keyboard-interactive', (_name, instructions, _language, prompts, finish) => {
      if (instructions !== '') texts.push(instructions)
      finish(prompts.map(() => prompt ?? ''))
    })
    client.connect({
      host: '127.0.0.1',
      port: rig.server.port,
      username: `customer.${IDENTIFIER}`,
      ...(password === undefined ? {} : { password }),
      ...(prompt === undefined ? {} : { tryKeyboard: true }),
    })
  })

/** A session for files on an open connection. */
export const sftpOf = (client: Client): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => client.sftp((error, made) => (error ? reject(error) : resolve(made))))
