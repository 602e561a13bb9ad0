import { EventEmitter } from 'node:events'
import ssh2, { type SFTPWrapper } from 'ssh2'
import { describe, expect, it } from 'vitest'
import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { PERMISSION_OF_SFTP_VERB, type SftpVerb } from '#contracts/panel/sftp-verbs.ts'
import { FileFailure } from '../../../../agents/files/file-failure.ts'
import { serveChannel } from '../../../../agents/sftp/sftp-channel.ts'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

/** The texts that the other half of the channel would hear. */
class FakeSftp extends EventEmitter {
  readonly statuses: { code: number; message: string | undefined }[] = []
  readonly handles: Buffer[] = []
  answers = 0
  status(_id: number, code: number, message?: string): void {
    this.statuses.push({ code, message })
  }
  handle(_id: number, handle: Buffer): void {
    this.handles.push(handle)
  }
  name(): void {
    this.answers += 1
  }
  data = this.name.bind(this)
  attrs = this.name.bind(this)
}

const openChannel = (held: () => readonly Permission[]) => {
  const sftp = new FakeSftp()
  const asked: string[] = []
  const denied: Permission[] = []
  let isThere = true
  serveChannel(sftp as unknown as SFTPWrapper, {
    files: {
      call: (call) => {
        asked.push(call.does)
        // As a worker decides: only it knows whether the file exists.
        if (call.does === 'open' && call.flags.writes && !(isThere ? call.flags.mayChange : call.flags.mayCreate))
          return Promise.reject(new FileFailure('FORBIDDEN'))
        const attributes = { kind: 'file', mode: 0o600, bytes: 1, mtimeMs: 0, atimeMs: 0 } as never
        return Promise.resolve({
          answer: { handle: 7, isNew: !isThere, entries: [], attributes, target: 'x' },
          bytes: Buffer.from('x'),
        })
      },
    },
    may: (permission) => held().includes(permission),
    isReadOnly: () => false,
    activity: () => {},
    denied: (permission) => void denied.push(permission),
    beforeGrowth: () => {},
    whenSent: () => Promise.resolve(),
    isAdmitted: () => true,
    end: () => {
      throw new Error('The connection was ended.')
    },
  })
  const settle = () => new Promise((resolve) => void setImmediate(resolve))
  return {
    sftp,
    asked,
    denied,
    async send(verb: string, ...args: unknown[]): Promise<string | undefined> {
      sftp.statuses.length = 0
      sftp.emit(verb, 1, ...args)
      await settle()
      const refused = sftp.statuses.find(({ code }) => code === STATUS_CODE.PERMISSION_DENIED)
      return refused === undefined ? undefined : (/\(([\w.-]+)\)\.$/.exec(refused.message ?? '')?.[1] ?? 'unnamed')
    },
    async open(mode: keyof typeof OPEN_MODE, exists: boolean) {
      isThere = exists
      return this.send('OPEN', 'a.txt', OPEN_MODE[mode] | (exists ? 0 : OPEN_MODE.CREAT), {})
    },
  }
}

const HANDLE = Buffer.from([0, 0, 0, 7])
type Channel = ReturnType<typeof openChannel>
/** How each verb is sent; `before` runs with all permissions. */
const SENT: Record<
  SftpVerb,
  readonly {
    readonly needs: Permission | null
    send(channel: Channel): Promise<string | undefined>
    before?(channel: Channel): Promise<unknown>
  }[]
> = {
  OPEN: [
    { needs: PERMISSION_OF_SFTP_VERB.OPEN.read, send: (channel) => channel.open('READ', true) },
    { needs: PERMISSION_OF_SFTP_VERB.OPEN.create, send: (channel) => channel.open('WRITE', false) },
    { needs: PERMISSION_OF_SFTP_VERB.OPEN.change, send: (channel) => channel.open('WRITE', true) },
  ],
  READ: [{ needs: 'file.read', send: (channel) => channel.send('READ', HANDLE, 0, 1) }],
  WRITE: [
    {
      needs: PERMISSION_OF_SFTP_VERB.WRITE.create,
      before: (channel) => channel.open('WRITE', false),
      send: (channel) => channel.send('WRITE', HANDLE, 0, Buffer.from('x')),
    },
    {
      needs: PERMISSION_OF_SFTP_VERB.WRITE.change,
      before: (channel) => channel.open('WRITE', true),
      send: (channel) => channel.send('WRITE', HANDLE, 0, Buffer.from('x')),
    },
  ],
  FSETSTAT: [
    {
      needs: PERMISSION_OF_SFTP_VERB.FSETSTAT.create,
      before: (channel) => channel.open('WRITE', false),
      send: (channel) => channel.send('FSETSTAT', HANDLE, {}),
    },
    {
      needs: PERMISSION_OF_SFTP_VERB.FSETSTAT.change,
      before: (channel) => channel.open('WRITE', true),
      send: (channel) => channel.send('FSETSTAT', HANDLE, {}),
    },
  ],
  CLOSE: [{ needs: null, send: (channel) => channel.send('CLOSE', HANDLE) }],
  STAT: [{ needs: 'file.list', send: (channel) => channel.send('STAT', '/a') }],
  LSTAT: [{ needs: 'file.list', send: (channel) => channel.send('LSTAT', '/a') }],
  FSTAT: [{ needs: 'file.list', send: (channel) => channel.send('FSTAT', HANDLE) }],
  SETSTAT: [{ needs: 'file.update', send: (channel) => channel.send('SETSTAT', '/a', {}) }],
  OPENDIR: [{ needs: 'file.list', send: (channel) => channel.send('OPENDIR', '/') }],
  READDIR: [{ needs: 'file.list', send: (channel) => channel.send('READDIR', HANDLE) }],
  READLINK: [{ needs: 'file.list', send: (channel) => channel.send('READLINK', '/a') }],
  REALPATH: [{ needs: null, send: (channel) => channel.send('REALPATH', '.') }],
  MKDIR: [{ needs: 'file.create', send: (channel) => channel.send('MKDIR', '/a', {}) }],
  RMDIR: [{ needs: 'file.update', send: (channel) => channel.send('RMDIR', '/a') }],
  REMOVE: [{ needs: 'file.update', send: (channel) => channel.send('REMOVE', '/a') }],
  RENAME: [{ needs: 'file.update', send: (channel) => channel.send('RENAME', '/a', '/b') }],
  SYMLINK: [{ needs: null, send: (channel) => channel.send('SYMLINK', '/a', '/b') }],
  EXTENDED: [{ needs: null, send: (channel) => channel.send('EXTENDED', 'posix-rename@openssh.com', Buffer.alloc(0)) }],
}
const VERBS = Object.keys(PERMISSION_OF_SFTP_VERB) as SftpVerb[]

describe('security case 37 by SFTP: each verb and each permission', () => {
  it('every verb that is served has a row, and every row is served', () => {
    const { sftp } = openChannel(() => PERMISSIONS)
    expect(sftp.eventNames().toSorted()).toEqual(VERBS.toSorted())
  })

  it.each(VERBS)('%s asks for the permissions of its row and for no other', (verb) => {
    const row = PERMISSION_OF_SFTP_VERB[verb]
    const named = row === null || row === 'unsupported' ? [null] : typeof row === 'string' ? [row] : Object.values(row)
    expect(SENT[verb].map(({ needs }) => needs)).toEqual(named)
  })

  const each = VERBS.flatMap((verb) => SENT[verb].map((sent) => ({ verb, ...sent })))
  it.each(each)('$verb with $needs', async ({ send, before, needs }) => {
    for (const permission of PERMISSIONS) {
      let held: readonly Permission[] = PERMISSIONS
      const channel = openChannel(() => held)
      await before?.(channel)
      channel.asked.length = 0
      held = [permission]
      const isAllowed = needs === null || needs === permission
      channel.denied.length = 0
      const refused = await send(channel)
      expect([permission, channel.denied]).toEqual([permission, refused === undefined ? [] : [refused]])
      // A worker alone knows whether a written file exists: of the two, it names the first that is missing.
      if (refused !== undefined)
        expect([permission, PERMISSIONS.includes(refused as Permission)]).toEqual([permission, true])
      expect([permission, refused === undefined]).toEqual([permission, isAllowed])
      held = PERMISSIONS.filter((other) => other !== permission)
      expect([permission, await send(channel)]).toEqual([permission, needs === permission ? permission : undefined])
    }
  })

  it('links and extensions are nobody’s', async () => {
    for (const verb of VERBS.filter((each) => PERMISSION_OF_SFTP_VERB[each] === 'unsupported')) {
      const channel = openChannel(() => PERMISSIONS)
      await channel.send(verb, '/a', '/b')
      expect([verb, channel.sftp.statuses, channel.asked]).toEqual([
        verb,
        [{ code: STATUS_CODE.OP_UNSUPPORTED, message: undefined }],
        [],
      ])
    }
  })
})
