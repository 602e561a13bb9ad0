import type { OpenMode, SFTPWrapper } from 'ssh2'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { connect, PASSWORD, sftpOf, SftpRig } from '../../support/sftp-rig.ts'

let rig: SftpRig
beforeEach(async () => {
  rig = await SftpRig.open()
  rig.files.put('a.txt', 'secret')
  rig.files.own()
})
afterEach(() => rig.close())

const WRITE_ONLY = 2
const without = (...permissions: Permission[]) => PERMISSIONS.filter((each) => !permissions.includes(each))

const open = (sftp: SFTPWrapper, name: string, flags: number | OpenMode) =>
  new Promise<Buffer>((resolve, reject) =>
    sftp.open(name, flags, (error, handle) => (error ? reject(error) : resolve(handle))),
  )
const read = (sftp: SFTPWrapper, handle: Buffer) =>
  new Promise<string>((resolve) =>
    sftp.read(handle, Buffer.alloc(6), 0, 6, 0, (error, _count, bytes) =>
      resolve(error ? error.message : bytes.toString()),
    ),
  )
const write = (sftp: SFTPWrapper, handle: Buffer, text: string) =>
  new Promise<string>((resolve) =>
    sftp.write(handle, Buffer.from(text), 0, text.length, 0, (error) => resolve(error?.message ?? 'done')),
  )

const signedIn = async () => sftpOf((await connect(rig, { password: PASSWORD }, false)).client)

describe('a file that is opened to append', () => {
  const lines = (word: string) => Array.from({ length: 40 }, (_, index) => `${word}-${index}\n`)

  it('keeps every line of two who append at once, each in its order, wherever they believe the end to be', async () => {
    rig.files.put('log.txt', 'start\n')
    rig.files.own()
    const [one, other] = [await signedIn(), await signedIn()]
    const handles = [await open(one, 'log.txt', 'a'), await open(other, 'log.txt', 'a')] as const
    const answers = await Promise.all(
      lines('one')
        .map((line) => write(one, handles[0], line))
        .concat(lines('two').map((line) => write(other, handles[1], line))),
    )
    expect(new Set(answers)).toEqual(new Set(['done']))
    const written = rig.files.text('log.txt').split(/(?<=\n)/)
    expect(written[0]).toBe('start\n')
    for (const word of ['one', 'two']) expect(written.filter((line) => line.startsWith(word))).toEqual(lines(word))
    expect(written).toHaveLength(81)
  })

  it('is made where it is missing, and keeps what the program of the server writes meanwhile', async () => {
    const sftp = await signedIn()
    const handle = await open(sftp, 'new.txt', 'a')
    expect(await write(sftp, handle, 'mine\n')).toBe('done')
    rig.files.put('new.txt', `${rig.files.text('new.txt')}of the game\n`)
    expect(await write(sftp, handle, 'mine again\n')).toBe('done')
    await new Promise<void>((resolve) => sftp.close(handle, () => resolve()))
    expect(rig.files.text('new.txt')).toBe('mine\nof the game\nmine again\n')
  })
})

describe('an open file', () => {
  it('that was opened for writing is not read without the permission to read', async () => {
    rig.permissions = without('file.read')
    const sftp = await signedIn()
    const handle = await open(sftp, 'a.txt', WRITE_ONLY)
    expect(await read(sftp, handle)).toContain('permission')
    expect(await write(sftp, handle, 'public')).toBe('done')
    expect(rig.files.text('a.txt')).toBe('public')
  })

  it('is no longer read, written or cut once the permission is gone', async () => {
    const sftp = await signedIn()
    const [old, fresh] = [await open(sftp, 'a.txt', 'r+'), await open(sftp, 'new.txt', 'w')]
    const cut = () =>
      new Promise<string>((resolve) => sftp.fsetstat(old, { size: 0 }, (error) => resolve(error?.message ?? 'done')))
    expect([await read(sftp, old), await write(sftp, fresh, 'one')]).toEqual(['secret', 'done'])
    rig.confirm = (logins) => logins.map(() => without('file.read', 'file.update'))
    await rig.server.check()
    const after = [await read(sftp, old), await write(sftp, old, 'stolen'), await cut()]
    expect(after.map((text) => text.includes('permission'))).toEqual([true, true, true])
    expect(await write(sftp, fresh, 'two')).toBe('done')
    rig.confirm = (logins) => logins.map(() => without('file.create'))
    await rig.server.check()
    expect(await write(sftp, fresh, 'six')).toContain('permission')
    expect([rig.files.text('a.txt'), rig.files.text('new.txt')]).toEqual(['secret', 'two'])
  })
})
