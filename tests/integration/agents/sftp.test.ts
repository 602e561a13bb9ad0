import { REFUSED_LINES } from '#contracts/logins/refused-lines.ts'
import { execFile, execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'

import type { SFTPWrapper } from 'ssh2'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { connect, PASSWORD, sftpOf, SftpRig } from '../../support/sftp-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

let rig: SftpRig
beforeEach(async () => {
  rig = await SftpRig.open()
})
afterEach(() => rig.close())

const local = (name: string) => path.join(rig.folder, name)
const inRoot = (name: string) => path.join(rig.files.root, name)
const sum = (file: string) => createHash('sha256').update(fs.readFileSync(file)).digest('hex')
const without = (...permissions: Permission[]) => PERMISSIONS.filter((each) => !permissions.includes(each))

describe("OpenSSH's client", () => {
  it('uploads, lists, downloads, renames and removes, and each change is in the log', async () => {
    fs.writeFileSync(local('world.bin'), randomBytes(20_000_000))
    const { code, output } = await rig.sftp([
      `put ${local('world.bin')} world.bin`,
      'mkdir plugins',
      'rename world.bin plugins/world.bin',
      'chmod 600 plugins/world.bin',
      'ls -l plugins',
      `get plugins/world.bin ${local('back.bin')}`,
      'mkdir gone',
      'rmdir gone',
      'pwd',
    ])
    expect([code, output]).toEqual([0, expect.stringContaining('world.bin')])
    expect(output).toMatch(/-rw------- .* 20000000 .*world\.bin/)
    expect(output).toContain('Remote working directory: /')
    expect(sum(local('back.bin'))).toBe(sum(local('world.bin')))
    expect(sum(inRoot('plugins/world.bin'))).toBe(sum(local('world.bin')))
    expect(fs.statSync(inRoot('plugins/world.bin')).mode & 0o777).toBe(0o600)
    expect(rig.files.activities.map(({ type, detail, way, userId }) => [type, detail, way, userId])).toEqual([
      ['server:sftp.create', 'world.bin', 'sftp', USER_ID],
      ['server:sftp.create-directory', 'plugins', 'sftp', USER_ID],
      ['server:sftp.rename', 'world.bin → plugins/world.bin', 'sftp', USER_ID],
      ['server:sftp.write', 'plugins/world.bin', 'sftp', USER_ID],
      ['server:sftp.create-directory', 'gone', 'sftp', USER_ID],
      ['server:sftp.delete', 'gone', 'sftp', USER_ID],
    ])
  })

  it('resumes an upload and a download where they broke off', async () => {
    fs.writeFileSync(local('world.bin'), randomBytes(3_000_000))
    fs.writeFileSync(inRoot('up.bin'), fs.readFileSync(local('world.bin')).subarray(0, 1_000_001))
    fs.writeFileSync(local('down.bin'), fs.readFileSync(local('world.bin')).subarray(0, 2_000_003))
    fs.copyFileSync(local('world.bin'), inRoot('down.bin'))
    rig.files.own()
    const { code } = await rig.sftp([`reput ${local('world.bin')} up.bin`, `reget down.bin ${local('down.bin')}`])
    expect([code, sum(inRoot('up.bin')), sum(local('down.bin'))]).toEqual([
      0,
      sum(local('world.bin')),
      sum(local('world.bin')),
    ])
  })

  it('uploads a folder of 300 files and gets it back as it was', async () => {
    fs.mkdirSync(local('pack/data'), { recursive: true })
    for (let index = 0; index < 300; index += 1) fs.writeFileSync(local(`pack/data/f${index}`), `text ${index}`)
    const { code, output } = await rig.sftp([`put -R ${local('pack')} pack`, `get -R pack ${local('again')}`])
    expect([code, output.includes('denied')]).toEqual([0, false])
    const names = fs.readdirSync(local('again/data'))
    expect(names).toHaveLength(300)
    for (const name of names) expect(fs.readFileSync(local(`again/data/${name}`), 'utf8')).toBe(`text ${name.slice(1)}`)
  })

  it('is not the only one: lftp mirrors 2,000 files there and back, byte for byte', async () => {
    for (let folder = 0; folder < 20; folder += 1) {
      fs.mkdirSync(local(`mirror/d${folder}`), { recursive: true })
      for (let file = 0; file < 100; file += 1)
        fs.writeFileSync(local(`mirror/d${folder}/f${file}`), `${folder} ${file}`)
    }
    const address = `sftp://customer.acdefghk:${encodeURIComponent(PASSWORD)}@127.0.0.1:${rig.server.port}`
    const ssh =
      'set sftp:connect-program "ssh -a -x -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -F /dev/null"'
    const script = `${ssh}; open ${address}; mirror -R --parallel=4 ${local('mirror')} m; mirror --parallel=4 m ${local('back')}`
    await promisify(execFile)('lftp', ['--norc', '-c', script], { env: { ...process.env, HOME: rig.folder } })
    const digest = (folder: string) =>
      execFileSync('sh', ['-c', `cd ${folder} && find . -type f -exec sha256sum {} + | sort`], { encoding: 'utf8' })
    expect(digest(inRoot('m'))).toBe(digest(local('mirror')))
    expect(digest(local('back'))).toBe(digest(local('mirror')))
    expect(digest(inRoot('m')).trim().split('\n')).toHaveLength(2_000)
  }, 600_000)

  it('is told that it may not, verb by verb, and nothing has changed', async () => {
    rig.files.put('a.txt', 'a')
    rig.files.put('d/x.txt', 'x')
    fs.writeFileSync(local('new.txt'), 'new')
    const cases: readonly (readonly [Permission, readonly string[]])[] = [
      ['file.list', ['ls d', 'cd d']],
      ['file.read', [`get a.txt ${local('stolen')}`]],
      ['file.create', [`put ${local('new.txt')} new.txt`, 'mkdir new']],
      [
        'file.update',
        [`put ${local('new.txt')} a.txt`, 'rm a.txt', 'rename a.txt b.txt', 'chmod 777 a.txt', 'rmdir d'],
      ],
    ]
    const before = rig.files.tree()
    for (const [permission, commands] of cases) {
      rig.permissions = without(permission)
      for (const command of commands) {
        const { code, output } = await rig.sftp([command])
        expect([permission, command, code, /permission|not found/i.test(output)]).toEqual([
          permission,
          command,
          1,
          true,
        ])
      }
    }
    expect([rig.files.tree(), rig.files.text('a.txt'), fs.existsSync(local('stolen'))]).toEqual([before, 'a', false])
    const denied = rig.files.activities.map(({ type, way }) => `${type} by ${way}`)
    expect(denied).toEqual(Array<string>(REFUSED_LINES).fill('server:sftp.denied by sftp'))
  })

  it('reads, and changes nothing, while the server is suspended or has expired', async () => {
    rig.files.put('a.txt', 'a')
    fs.writeFileSync(local('new.txt'), 'new')
    const { core } = rig.files.rig.server()
    const { spec } = core
    if (spec === null) throw new Error('no spec')
    for (const change of [{ suspended: true }, { expiresAtMs: rig.files.rig.clock.now() - 61_000 }]) {
      core.save({ spec: { ...spec, ...change } })
      expect((await rig.sftp([`get a.txt ${local('read')}`])).code).toBe(0)
      for (const command of [
        `put ${local('new.txt')} new.txt`,
        `put ${local('new.txt')} a.txt`,
        'rm a.txt',
        'mkdir d',
        'rename a.txt b',
        'chmod 777 a.txt',
      ]) {
        const { code, output } = await rig.sftp([command])
        expect([command, code, /only be read|permission/i.test(output)]).toEqual([command, 1, true])
      }
    }
    expect([rig.files.tree(), rig.files.text('a.txt')]).toEqual([['a.txt'], 'a'])
  })

  it('is cut off within seconds of a revocation, in the middle of a download, and cannot sign in again', async () => {
    fs.writeFileSync(inRoot('large.bin'), '')
    fs.truncateSync(inRoot('large.bin'), 20_000_000_000)
    rig.files.own()
    const download = rig.sftp([`get large.bin /dev/null`])
    await waitFor('the connection', () => rig.server.connections === 1)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const revoked = { serverId: SERVER_ID, userId: USER_ID, sessionId: null }
    rig.files.revocations.add({ ...revoked, issuedBeforeMs: rig.files.rig.clock.now() + 2_000 })
    rig.decide = () => ({ ok: false, why: 'refused' })
    rig.server.revoked()
    await waitFor('the end of the connection', () => rig.server.connections === 0)
    expect((await download).code).not.toBe(0)
    expect((await rig.sftp(['ls'])).code).not.toBe(0)
  })

  it('goes on with the permissions that it still has, and ends when the check says so, or nobody has said so for long', async () => {
    rig.files.put('a.txt', 'a')
    const { client } = await connect(rig, { password: PASSWORD }, false)
    const sftp = await sftpOf(client)
    const read = () =>
      new Promise<string>(
        (resolve) => void sftp.readFile('a.txt', (error, bytes) => resolve(error ? error.message : bytes.toString())),
      )
    rig.confirm = (open) => open.map(() => [...PERMISSIONS])
    await rig.server.check()
    expect(await read()).toBe('a')
    rig.confirm = (open) => open.map(() => without('file.read'))
    await rig.server.check()
    expect(await read()).toContain('permission')
    rig.confirm = undefined
    await rig.server.check()
    expect(rig.server.connections).toBe(1)
    rig.files.rig.clock.set(rig.files.rig.clock.now() + 600_001)
    await rig.server.check()
    await waitFor('the end of the connection', () => rig.server.connections === 0)
    await connect(rig, { password: PASSWORD }, false)
    rig.confirm = (open) => open.map(() => null)
    await rig.server.check()
    await waitFor('the end of the second', () => rig.server.connections === 0)
  })

  it('is stopped at the storage that is left, with holes and with several writers at once', async () => {
    fs.writeFileSync(local('big.bin'), randomBytes(8_000_000))
    rig.files.usage = { bytes: rig.files.limitBytes - 10_000_000, ownBytes: 0 }
    const ends = await Promise.all([1, 2, 3].map((one) => rig.sftp([`put ${local('big.bin')} big-${one}.bin`])))
    const written = fs.readdirSync(rig.files.root).reduce((bytes, name) => bytes + fs.statSync(inRoot(name)).size, 0)
    expect(ends.filter(({ code }) => code === 0).length).toBeLessThanOrEqual(1)
    expect(ends.some(({ code }) => code !== 0)).toBe(true)
    expect(written).toBeLessThanOrEqual(10_000_000)
  })
})

describe('a sign-in', () => {
  it('takes Ed25519 and RSA keys with SHA-2, and neither another key nor another server', async () => {
    await rig.makeKey('id_rsa', '-t', 'rsa', '-b', '3072')
    await rig.makeKey('id_ecdsa', '-t', 'ecdsa')
    await rig.makeKey('other', '-t', 'ed25519')
    const accepts = (name: string) => {
      rig.decide = ({ proof, identifier }) =>
        'publicKey' in proof && proof.publicKey === rig.publicKey(name) && identifier === 'acdefghk'
          ? rig.granted
          : { ok: false, why: 'refused' }
    }
    accepts('id_rsa')
    expect((await rig.sftp(['pwd'], { key: local('id_rsa') })).code).toBe(0)
    expect((await rig.sftp(['pwd'], { key: local('other') })).code).not.toBe(0)
    accepts('id_ecdsa')
    expect((await rig.sftp(['pwd'], { key: local('id_ecdsa') })).code).not.toBe(0)
    expect(rig.asked.every(({ username, identifier }) => username === 'customer' && identifier === 'acdefghk')).toBe(
      true,
    )
  })

  it('by password works, also by prompt, and says what to do where the account has a second factor', async () => {
    const client = await connect(rig, { password: PASSWORD })
    expect(client).toMatchObject({ ok: true })
    expect(await connect(rig, { prompt: PASSWORD })).toMatchObject({ ok: true })
    expect(await connect(rig, { password: 'wrong' })).toMatchObject({ ok: false })
    rig.decide = () => ({ ok: false, why: 'app password' })
    const { code, output } = await rig.sftp(['pwd'], { password: PASSWORD })
    expect([code === 0, output]).toEqual([false, expect.stringContaining('Create an app password or add an SSH key')])
  })

  it('is refused for a minute after five failures, whoever the next one is', async () => {
    for (let index = 0; index < 5; index += 1)
      expect(await connect(rig, { password: `wrong ${index}` })).toMatchObject({ ok: false })
    const asked = rig.asked.length
    expect(await connect(rig, { password: PASSWORD })).toMatchObject({ ok: false })
    expect(rig.asked).toHaveLength(asked)
    rig.files.rig.clock.set(rig.files.rig.clock.now() + 60_001)
    expect(await connect(rig, { password: PASSWORD })).toMatchObject({ ok: true })
  })

  it('of one person opens ten connections and no eleventh', async () => {
    const open = await Promise.all(Array.from({ length: 10 }, () => connect(rig, { password: PASSWORD }, false)))
    expect(open.every(({ ok }) => ok)).toBe(true)
    expect(await connect(rig, { password: PASSWORD })).toMatchObject({ ok: false })
    open[0]?.client.end()
    await waitFor('a place', () => rig.server.connections === 9)
    expect(await connect(rig, { password: PASSWORD })).toMatchObject({ ok: true })
    for (const { client } of open) client.end()
  })

  it('survives strangers that say nothing, or nonsense', async () => {
    const sockets = Array.from({ length: 80 }, () => net.connect(rig.server.port, '127.0.0.1').on('error', () => {}))
    for (const socket of sockets.slice(0, 40)) socket.write(randomBytes(4_000))
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const socket of sockets) socket.destroy()
    await waitFor('their end', () => rig.server.connections === 0)
    expect(await connect(rig, { password: PASSWORD })).toMatchObject({ ok: true })
  })
})

describe('a client that does what it should not', () => {
  const withSftp = async <Result>(use: (sftp: SFTPWrapper) => Promise<Result>): Promise<Result> => {
    const { client, ok } = await connect(rig, { password: PASSWORD }, false)
    expect(ok).toBe(true)
    const sftp = await sftpOf(client)
    try {
      return await use(sftp)
    } finally {
      client.end()
    }
  }
  const failure = (run: (done: (error?: Error | null) => void) => void): Promise<string> =>
    new Promise((resolve) => run((error) => resolve(error ? error.message : 'done')))

  it('stays below the folder of the server, whatever the path and the link', async () => {
    const secret = path.join(rig.folder, 'secret')
    fs.writeFileSync(secret, 'the secret of somebody else')
    if (process.getuid?.() === 0) fs.chownSync(secret, rig.files.uid, rig.files.uid)
    fs.symlinkSync(secret, inRoot('link'))
    fs.symlinkSync(rig.folder, inRoot('dir'))
    rig.files.own()
    await withSftp(async (sftp) => {
      const read = (target: string) => failure((done) => void sftp.readFile(target, (error) => done(error)))
      for (const target of [
        '../secret',
        '/../../secret',
        'link',
        'dir/secret',
        '/proc/self/root/etc/passwd',
        'a/../../secret',
        '..%2fsecret',
        '..\\secret',
      ]) {
        expect([target, await read(target)]).toEqual([target, expect.not.stringMatching(/^done$/)])
      }
      const writes: readonly ((done: (error?: Error | null) => void) => void)[] = [
        (done) => sftp.writeFile('link', 'mine', done),
        (done) => sftp.writeFile('dir/new', 'mine', done),
        (done) => sftp.chmod('link', 0o777, done),
        (done) => sftp.utimes('link', 1, 1, done),
        (done) => sftp.symlink('/etc/passwd', 'made', done),
        (done) => sftp.mkdir('dir/made', done),
      ]
      for (const write of writes) expect(await failure(write)).not.toBe('done')
    })
    expect([fs.readFileSync(secret, 'utf8'), fs.statSync(secret).mode & 0o777]).toEqual([
      'the secret of somebody else',
      0o644,
    ])
    expect(fs.readdirSync(rig.folder)).not.toContain('new')
    expect(fs.existsSync(path.join(rig.folder, 'up'))).toBe(false)
  })

  it('sets no bit beyond the nine, replaces nothing by a rename, and says why the storage refuses it', async () => {
    rig.files.put('a.sh', 'a')
    rig.files.put('b.sh', 'b')
    await withSftp(async (sftp) => {
      expect(await failure((done) => sftp.chmod('a.sh', 0o4755, done))).toBe('done')
      expect(await failure((done) => sftp.rename('a.sh', 'b.sh', done))).toContain('nothing is replaced')
      rig.files.usage = { bytes: rig.files.limitBytes - 1_000_000, ownBytes: 0 }
      const handle = await new Promise<Buffer>((resolve, reject) =>
        sftp.open('holes', 'w', (error, opened) => (error ? reject(error) : resolve(opened))),
      )
      const far = 5_000_000
      expect(await failure((done) => sftp.write(handle, Buffer.from('x'), 0, 1, far, done))).toContain(
        'storage of this server is full',
      )
      expect(await failure((done) => sftp.fsetstat(handle, { size: far }, done))).toContain(
        'storage of this server is full',
      )
      expect(await failure((done) => sftp.setstat('b.sh', { size: far }, done))).toContain(
        'storage of this server is full',
      )
    })
    expect([
      fs.statSync(inRoot('a.sh')).mode & 0o7777,
      rig.files.text('b.sh'),
      fs.statSync(inRoot('holes')).size,
    ]).toEqual([0o755, 'b', 0])
  })

  it('has 64 files open and no more, and a file that another one writes is not lost', async () => {
    await withSftp(async (sftp) => {
      const results = await Promise.all(
        Array.from({ length: 70 }, (_, index) =>
          failure((done) => void sftp.open(`f${index}`, 'w', (error) => done(error))),
        ),
      )
      expect(results.filter((result) => result === 'done')).toHaveLength(64)
      expect(results.filter((result) => result.includes('Too much is open'))).toHaveLength(6)
    })
  })

  it('that asks and asks and takes nothing is ended before its answers fill the memory', async () => {
    fs.writeFileSync(inRoot('large.bin'), '')
    fs.truncateSync(inRoot('large.bin'), 20_000_000_000)
    rig.files.own()
    const { client } = await connect(rig, { password: PASSWORD }, false)
    const sftp = await sftpOf(client)
    const handle = await new Promise<Buffer>((resolve, reject) =>
      sftp.open('large.bin', 'r', (error, opened) => (error ? reject(error) : resolve(opened))),
    )
    const socket = (client as unknown as { _sock: net.Socket })._sock
    const before = process.memoryUsage().rss
    socket.pause()
    const buffer = Buffer.alloc(32_768)
    for (let index = 0; index < 4_000; index += 1)
      sftp.read(handle, buffer, 0, buffer.length, index * buffer.length, () => {})
    await waitFor('the end of the connection', () => rig.server.connections === 0)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    socket.destroy()
  })

  it('opens four sessions on one connection and no fifth', async () => {
    const { client } = await connect(rig, { password: PASSWORD }, false)
    const open = () => failure((done) => void client.sftp((error) => done(error)))
    for (let index = 0; index < 4; index += 1) expect(await open()).toBe('done')
    void open()
    await waitFor('the end of the connection', () => rig.server.connections === 0)
  })

  it('gets no shell, no program and no tunnel', async () => {
    const { client } = await connect(rig, { password: PASSWORD }, false)
    expect(await failure((done) => void client.exec('id', (error) => done(error)))).not.toBe('done')
    expect(await failure((done) => void client.shell((error) => done(error)))).not.toBe('done')
    expect(
      await failure((done) => void client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, (error) => done(error))),
    ).not.toBe('done')
    client.end()
  })
})
