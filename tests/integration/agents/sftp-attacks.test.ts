import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import ssh2, { type Client, type ClientChannel, type SFTPWrapper } from 'ssh2'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { swapFolderForLink } from '../../support/swap-folder.ts'
import { connect, PASSWORD, sftpOf, SftpRig } from '../../support/sftp-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

const { STATUS_CODE } = ssh2.utils.sftp
const isRoot = process.getuid?.() === 0
const RACE_MS = process.env['BAKTER_TEST_SLICE'] ? 1_000 : 10_000
const SECRET = 'the secret of somebody else'

let rig: SftpRig
let client: Client
let sftp: SFTPWrapper
/** A folder beside the server's, with a secret in it. */
let outside: string

const inRoot = (name: string): string => path.join(rig.files.root, name)

beforeAll(async () => {
  rig = await SftpRig.open()
  outside = path.join(rig.folder, 'outside')
  const connected = await connect(rig, { password: PASSWORD }, false)
  client = connected.client
  sftp = await sftpOf(client)
})
afterAll(async () => {
  client.end()
  await rig.close()
})
beforeEach(() => {
  rig.files.clear()
  fs.rmSync(outside, { recursive: true, force: true })
  fs.mkdirSync(outside)
  fs.writeFileSync(path.join(outside, 'secret'), SECRET)
  // The server's own user may enter it: what keeps the secret here is the walk, not the permissions.
  if (isRoot)
    for (const each of [outside, path.join(outside, 'secret')]) fs.chownSync(each, rig.files.uid, rig.files.uid)
})

const untouched = (): void => {
  expect(fs.readdirSync(outside)).toEqual(['secret'])
  const secret = path.join(outside, 'secret')
  const { mode, mtimeMs, uid } = fs.statSync(secret)
  expect([fs.readFileSync(secret, 'utf8'), mode & 0o777, mtimeMs > 1_000_000]).toEqual([SECRET, 0o644, true])
  expect(uid).toBe(isRoot ? rig.files.uid : process.getuid?.())
}

/** The server's answer: its refusal, or what it gave. */
interface Outcome {
  readonly refusal?: string
  readonly given: string
}

const asked = (run: (done: (error?: Error | null, given?: unknown) => void) => unknown): Promise<Outcome> =>
  new Promise((resolve) => {
    run((error, given) => {
      if (error) resolve({ refusal: error.message, given: '' })
      else resolve({ given: Buffer.isBuffer(given) ? given.toString('utf8') : JSON.stringify(given ?? '') })
    })
  })

/** Opens by the flags of `open(3)`, does something with the handle, and closes it whatever happened. */
const withHandle =
  (flags: string, use: (handle: Buffer) => Promise<Outcome>) =>
  async (target: string): Promise<Outcome> => {
    const opened = await new Promise<Buffer | Error>((resolve) =>
      sftp.open(target, flags as 'r', (error, handle) => resolve(error ?? handle)),
    )
    if (opened instanceof Error) return { refusal: opened.message, given: '' }
    const outcome = await use(opened)
    await asked((done) => sftp.close(opened, done))
    return outcome
  }

const write = (handle: Buffer): Promise<Outcome> =>
  asked((done) => sftp.write(handle, Buffer.from('mine'), 0, 4, 0, done))

type Verb = (target: string) => Promise<Outcome>
/** Every request with a path, aimed at it; with handles also what is done with them. */
const VERBS: Readonly<Record<string, Verb>> = {
  read: withHandle('r', (handle) =>
    asked((done) => sftp.read(handle, Buffer.alloc(100), 0, 100, 0, (error, _size, bytes) => done(error, bytes))),
  ),
  write: withHandle('w', write),
  'write without emptying': withHandle('r+', write),
  append: withHandle('a', write),
  create: withHandle('wx', write),
  'set by handle': withHandle('r+', (handle) => asked((done) => sftp.fsetstat(handle, { mode: 0o777, size: 1 }, done))),
  'stat by handle': withHandle('r', (handle) => asked((done) => sftp.fstat(handle, done))),
  stat: (target) => asked((done) => sftp.stat(target, done)),
  lstat: (target) => asked((done) => sftp.lstat(target, done)),
  readlink: (target) => asked((done) => sftp.readlink(target, done)),
  list: (target) => asked((done) => sftp.readdir(target, done)),
  mkdir: (target) => asked((done) => sftp.mkdir(target, done)),
  rmdir: (target) => asked((done) => sftp.rmdir(target, done)),
  remove: (target) => asked((done) => sftp.unlink(target, done)),
  'rename from': (target) => asked((done) => sftp.rename(target, 'moved', done)),
  'rename to': (target) => asked((done) => sftp.rename('own', target, done)),
  chmod: (target) => asked((done) => sftp.chmod(target, 0o777, done)),
  chown: (target) => asked((done) => sftp.chown(target, 0, 0, done)),
  utimes: (target) => asked((done) => sftp.utimes(target, 1, 1, done)),
  truncate: (target) => asked((done) => sftp.setstat(target, { size: 1 }, done)),
  'symlink at': (target) => asked((done) => sftp.symlink('own', target, done)),
  'symlink to': (target) => asked((done) => sftp.symlink(target, 'made', done)),
}
/** They look at the link itself, or take it away. */
const OF_THE_LINK = ['lstat', 'stat', 'readlink', 'remove', 'rename from']
/** Owners are never changed: clients that keep them are told that all went well (case 97). */
const IGNORED = ['chown']

describe('case 91: a path that climbs', () => {
  const PATHS = [
    '../outside/secret',
    '/../../outside/secret',
    'own/../../outside/secret',
    '..%2foutside%2fsecret',
    '..\\outside\\secret',
    '....//outside/secret',
    '~/../outside/secret',
    '/proc/self/root/etc/passwd',
    '//etc/passwd',
    'own\0/../../outside/secret',
    'n'.repeat(256),
    `${'a/'.repeat(2_048)}b`,
  ]

  for (const [verb, run] of Object.entries(VERBS)) {
    it(`reaches nothing outside by ${verb}`, async () => {
      for (const target of PATHS) {
        rig.files.clear()
        rig.files.put('own', 'own')
        const { given } = await run(target)
        expect([target.slice(0, 40), given.includes(SECRET), given.includes('root:')]).toEqual([
          target.slice(0, 40),
          false,
          false,
        ])
      }
      untouched()
      expect(fs.readdirSync(rig.folder)).not.toContain('moved')
    })
  }

  it('that leads to the folder itself neither moves nor removes it (case 96)', async () => {
    rig.files.put('own', 'own')
    for (const target of ['/', '.', '..', 'own/..', '']) {
      for (const verb of ['rmdir', 'remove', 'rename from', 'rename to', 'write', 'mkdir']) {
        expect([target, verb, (await (VERBS[verb] as Verb)(target)).refusal]).toEqual([
          target,
          verb,
          expect.any(String),
        ])
      }
    }
    expect(rig.files.tree()).toEqual(['own'])
  })
})

describe('case 92: a link that leads outside', () => {
  const LINKS: Readonly<Record<string, () => string>> = {
    'absolute, to a file': () => path.join(outside, 'secret'),
    'absolute, to a folder': () => outside,
    relative: () => path.relative(rig.files.root, path.join(outside, 'secret')),
    'to /proc/1/root': () => '/proc/1/root/etc/passwd',
    'to /proc/self/fd': () => '/proc/self/fd/3',
    dangling: () => path.join(outside, 'missing'),
    'to itself': () => 'link',
  }

  for (const [kind, targetOf] of Object.entries(LINKS)) {
    it(`${kind}: no request passes it, and only the link itself is looked at, renamed and removed`, async () => {
      for (const [verb, run] of Object.entries(VERBS)) {
        rig.files.clear()
        rig.files.put('own', 'own')
        fs.symlinkSync(targetOf(), inRoot('link'))
        rig.files.own()
        const { refusal, given } = await run('link')
        expect([verb, refusal === undefined]).toEqual([verb, [...OF_THE_LINK, ...IGNORED].includes(verb)])
        expect([verb, given.includes(SECRET), given.includes('root:')]).toEqual([verb, false, false])
        const stays = verb !== 'remove' && verb !== 'rename from'
        if (stays) expect([verb, fs.readlinkSync(inRoot('link'))]).toEqual([verb, targetOf()])
        expect([verb, fs.existsSync(inRoot('made'))]).toEqual([verb, false])
      }
      untouched()
    })
  }

  it('in the place of a folder stops every request on the way', async () => {
    for (const [verb, run] of Object.entries(VERBS)) {
      rig.files.clear()
      rig.files.put('own', 'own')
      fs.symlinkSync(outside, inRoot('dir'))
      rig.files.own()
      for (const target of ['dir/secret', 'dir/new', 'dir/./secret']) {
        const { refusal } = await run(target)
        expect([verb, target, refusal === undefined]).toEqual([verb, target, IGNORED.includes(verb)])
      }
      expect([verb, rig.files.text('own')]).toEqual([verb, 'own'])
    }
    untouched()
  })
})

describe("case 94 to 97: files that are none of the server's", () => {
  it('a second name of a file of another user is neither read nor changed', async () => {
    // Without root there is no other user.
    if (!isRoot) return expect(isRoot).toBe(false)
    const foreign = path.join(rig.folder, 'foreign')
    for (const verb of [
      'read',
      'write',
      'write without emptying',
      'append',
      'set by handle',
      'chmod',
      'utimes',
      'truncate',
    ]) {
      fs.rmSync(foreign, { force: true })
      rig.files.clear()
      fs.writeFileSync(foreign, SECRET, { mode: 0o600 })
      fs.utimesSync(foreign, 1_000_000, 1_000_000)
      fs.linkSync(foreign, inRoot('hard'))
      const { refusal, given } = await (VERBS[verb] as Verb)('hard')
      expect([verb, refusal, given]).toEqual([verb, expect.any(String), ''])
      const { uid, mode, mtimeMs } = fs.statSync(foreign)
      expect([verb, uid, mode & 0o777, mtimeMs, fs.readFileSync(foreign, 'utf8')]).toEqual([
        verb,
        0,
        0o600,
        1_000_000_000,
        SECRET,
      ])
    }
    return undefined
  })

  it('a pipe and a device are never opened, and hold nothing up', async () => {
    execFileSync('mkfifo', [inRoot('pipe')])
    if (isRoot) execFileSync('mknod', [inRoot('device'), 'c', '1', '5'])
    rig.files.own()
    for (const name of isRoot ? ['pipe', 'device'] : ['pipe']) {
      for (const verb of ['read', 'write', 'append', 'set by handle', 'list']) {
        expect([name, verb, (await (VERBS[verb] as Verb)(name)).refusal]).toEqual([name, verb, expect.any(String)])
      }
    }
  })

  it('no bit beyond the nine is set, of a new file, a new folder or an old one, and no owner changes', async () => {
    rig.files.put('own', 'own')
    rig.files.own()
    const handle = await new Promise<Buffer>((resolve, reject) =>
      sftp.open('new', 'w', { mode: 0o6755 }, (error, opened) => (error ? reject(error) : resolve(opened))),
    )
    await asked((done) => sftp.fsetstat(handle, { mode: 0o7777 }, done))
    await asked((done) => sftp.close(handle, done))
    await asked((done) => sftp.mkdir('folder', { mode: 0o3777 }, done))
    for (const mode of [0o4777, 0o2777, 0o1777]) {
      for (const name of ['own', 'folder']) await asked((done) => sftp.chmod(name, mode, done))
    }
    await asked((done) => sftp.chown('own', 0, 0, done))
    for (const name of ['own', 'new', 'folder']) {
      const { mode, uid } = fs.statSync(inRoot(name))
      expect([name, mode & 0o7000, uid]).toEqual([name, 0, isRoot ? rig.files.uid : process.getuid?.()])
    }
  })
})

describe('case 93: a folder that is swapped for a link while a request is on its way', () => {
  for (const [verb, run] of Object.entries(VERBS)) {
    it(`${verb} never reaches what the link names`, async () => {
      rig.files.put('race/dir/secret', 'mine')
      rig.files.put('own', 'own')
      rig.files.own()
      const swapping = swapFolderForLink({ root: rig.files.root, outside, uid: isRoot ? rig.files.uid : undefined })
      let [times, leaks] = [0, 0]
      try {
        await waitFor('the program to swap', () => rig.files.exists('race/real'))
        for (const endsAtMs = Date.now() + RACE_MS; Date.now() < endsAtMs || times <= 20; times += 1) {
          const outcomes = await Promise.all([run('race/dir/secret'), run('race/dir/secret')])
          leaks += outcomes.filter(({ given }) => given.includes(SECRET)).length
        }
      } finally {
        await swapping.end()
      }
      expect([leaks, times > 20]).toEqual([0, true])
      untouched()
    })
  }
})

describe('case 110: packets that no client sends', () => {
  /** The bytes of the subsystem, without a library that understands them. */
  const rawChannel = async (): Promise<{ readonly channel: ClientChannel; readonly end: () => void }> => {
    const { client: other } = await connect(rig, { password: PASSWORD }, false)
    const channel = await new Promise<ClientChannel>((resolve, reject) =>
      other.subsys('sftp', (error, opened) => (error ? reject(error) : resolve(opened))),
    )
    channel.on('error', () => {}).resume()
    return { channel, end: () => other.end() }
  }
  const packet = (...parts: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(parts)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    return Buffer.concat([length, body])
  }
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const INIT = packet(Buffer.from([1]), u32(3))
  const EXTENDED = 200
  const text = (value: string): Buffer => Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)])

  /** Nothing that one connection sends keeps the next one from its files. */
  const othersGoOn = async (): Promise<void> => {
    rig.files.put('own', 'own')
    expect((await (VERBS['read'] as Verb)('own')).given).toBe('own')
  }

  const PACKETS: Readonly<Record<string, () => Buffer>> = {
    'a length of four gigabytes': () => Buffer.concat([u32(0xff_ff_ff_ff), randomBytes(1_000)]),
    'a length beyond the largest packet': () => Buffer.concat([u32(300 * 1024), randomBytes(1_000)]),
    'a length of zero': () => u32(0),
    'a text longer than its packet': () => packet(Buffer.from([17]), u32(1), u32(0xff_ff), Buffer.from('x')),
    'a request without a body': () => packet(Buffer.from([3])),
    'a type that does not exist': () => packet(Buffer.from([99]), u32(1)),
    'a second greeting': () => INIT,
    'a handle of a megabyte': () => packet(Buffer.from([5]), u32(1), text('h'.repeat(200_000)), u32(0), u32(0), u32(1)),
    'a read of four gigabytes': () =>
      packet(Buffer.from([5]), u32(1), u32(4), u32(0), u32(0xff_ff_ff_ff), u32(0xff_ff_ff_ff), u32(0xff_ff_ff_ff)),
    'a thousand packets of nothing but chance': () =>
      Buffer.concat(Array.from({ length: 1_000 }, (_, size) => packet(randomBytes(1 + (size % 200))))),
  }

  for (const [kind, bytesOf] of Object.entries(PACKETS)) {
    it(`${kind}: the connection is answered or ended, and everybody else goes on`, async () => {
      const before = process.memoryUsage().rss
      const { channel, end } = await rawChannel()
      channel.write(INIT)
      for (let times = 0; times < 20; times += 1) channel.write(bytesOf())
      await othersGoOn()
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
      end()
      await waitFor('the end of the connection', () => rig.server.connections === 1)
      await othersGoOn()
      untouched()
    })
  }

  it('extensions are refused as unknown, whatever they are called and carry', async () => {
    rig.files.put('own', 'own')
    const { channel, end } = await rawChannel()
    const statuses = new Map<number, number>()
    let rest = Buffer.alloc(0)
    channel.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      for (
        ;
        rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0);
        rest = rest.subarray(4 + rest.readUInt32BE(0))
      )
        if (rest[4] === 101) statuses.set(rest.readUInt32BE(5), rest.readUInt32BE(9))
    })
    channel.write(INIT)
    const EXTENSIONS = [
      ['posix-rename@openssh.com', text('own'), text('../moved')],
      ['hardlink@openssh.com', text('own'), text('hard')],
      ['hardlink@openssh.com', text('../outside/secret'), text('hard')],
      ['statvfs@openssh.com', text('/')],
      ['fsync@openssh.com', text('\0\0\0\0')],
      ['lsetstat@openssh.com', text('own'), u32(4), u32(0o4777)],
      ['copy-data', text('\0\0\0\0'), u32(0), u32(0), u32(0), u32(0), text('\0\0\0\0'), u32(0), u32(0)],
      ['expand-path@openssh.com', text('~root')],
      ['home-directory', text('root')],
      ['users-groups-by-id@openssh.com', text(''), text('')],
      ['x'.repeat(10_000), randomBytes(1_000)],
    ] as const
    for (const [index, [name, ...parts]] of EXTENSIONS.entries())
      channel.write(packet(Buffer.from([EXTENDED]), u32(index), text(name), ...parts))
    await waitFor('all answers', () => statuses.size === EXTENSIONS.length)
    expect([...new Set(statuses.values())]).toEqual([STATUS_CODE.OP_UNSUPPORTED])
    expect(rig.files.tree()).toEqual(['own'])
    untouched()
    end()
  })
})
