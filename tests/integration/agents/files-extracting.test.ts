import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { ReadFormat } from '#contracts/panel/archive-formats.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { zipOf } from '../../support/archives.ts'
import { codeOf, FilesRig } from '../../support/files-rig.ts'

let files: FilesRig
beforeAll(async () => {
  files = await FilesRig.open()
})
afterAll(() => files.close())
beforeEach(() => {
  files.clear()
})

const extract = (name: string, format: ReadFormat, more: { to?: string; replaces?: boolean } = {}) =>
  files.job('extract', { path: name, format, to: 'out', ...more })
const left = () => ['parts', 'ready'].flatMap((name) => fs.readdirSync(path.join(files.area, name)))

describe('an extraction into a folder that has files', () => {
  const archive = () =>
    files.put(
      'new.zip',
      zipOf([
        { name: 'a.txt', content: 'new' },
        { name: 'd/b.txt', content: 'new' },
        { name: 'd/c.txt', content: 'new' },
      ]),
    )

  it('keeps them and names them, or replaces them when that was asked', async () => {
    archive()
    files.put('a.txt', 'old')
    files.put('d/b.txt', 'old')
    const kept = await extract('new.zip', 'zip', { to: '' })
    expect(kept).toMatchObject({ state: 'done', leftOutCount: 2 })
    expect(kept.leftOut.map(({ name, why }) => `${name} ${why}`).sort()).toEqual(['a.txt exists', 'd/b.txt exists'])
    expect([files.text('a.txt'), files.text('d/b.txt'), files.text('d/c.txt')]).toEqual(['old', 'old', 'new'])
    expect(await extract('new.zip', 'zip', { to: '', replaces: true })).toMatchObject({ state: 'done', leftOut: [] })
    expect([files.text('a.txt'), files.text('d/b.txt'), files.text('d/c.txt')]).toEqual(['new', 'new', 'new'])
    expect(left()).toEqual([])
  })

  it('follows no link on the way, and puts no folder in the place of a file', async () => {
    archive()
    const elsewhere = path.join(files.rig.folder, 'elsewhere')
    fs.mkdirSync(elsewhere, { recursive: true })
    fs.symlinkSync(elsewhere, path.join(files.root, 'd'))
    fs.symlinkSync(path.join(elsewhere, 'a.txt'), path.join(files.root, 'a.txt'))
    files.own()
    const job = await extract('new.zip', 'zip', { to: '', replaces: true })
    expect(job.leftOut.map(({ name, why }) => `${name} ${why}`).sort()).toEqual(['a.txt exists', 'd exists'])
    expect(fs.lstatSync(path.join(files.root, 'a.txt')).isSymbolicLink()).toBe(true)
    fs.rmSync(path.join(files.root, 'a.txt'))
    files.put('a.txt', 'a')
    expect(fs.readdirSync(elsewhere)).toEqual([])
    expect(await extract('new.zip', 'zip', { to: 'd' })).toMatchObject({ state: 'failed', refusal: 'LINK_REFUSED' })
    expect(await extract('new.zip', 'zip', { to: 'a.txt' })).toMatchObject({ state: 'failed', refusal: 'NOT_A_FOLDER' })
    expect(await extract('missing.zip', 'zip')).toMatchObject({ state: 'failed', refusal: 'NOT_FOUND' })
  })

  it('needs the permission to compress, to replace also that to change, and a server that is not read-only', async () => {
    archive()
    const without = async (permission: string) =>
      files.token({ permissions: PERMISSIONS.filter((each) => each !== permission) })
    const input = { path: 'new.zip', format: 'zip', to: '', replaces: true } as const
    for (const permission of ['file.compress', 'file.update']) {
      const answer = await files.call('extract', input, { token: await without(permission) })
      expect([answer.status, answer.json]).toMatchObject([403, { error: { code: 'FORBIDDEN', permission } }])
    }
    const compress = { folder: '', names: ['new.zip'], to: 'x.tar', format: 'tar' as const }
    expect((await files.call('compress', compress, { token: await without('file.compress') })).status).toBe(403)
    for (const names of [['../up'], ['a/b'], ['']]) {
      expect(codeOf(await files.call('compress', { ...compress, names }))).toMatch(/INVALID_(PATH|REQUEST)/)
    }
    expect(codeOf(await files.call('compress', { ...compress, to: '../x.tar' }))).toBe('INVALID_PATH')
    expect(files.tree()).toEqual(['new.zip'])
  })
})
