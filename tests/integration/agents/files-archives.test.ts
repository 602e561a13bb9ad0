import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { WRITTEN_FORMATS, type ReadFormat } from '#contracts/panel/archive-formats.ts'
import { FilesRig } from '../../support/files-rig.ts'
import { paxRecord, sevenZipOf, tarOf, WRAPPINGS, zipOf, type TarFields } from '../../support/archives.ts'

let files: FilesRig
beforeAll(async () => {
  files = await FilesRig.open()
  files.usage = { bytes: 0, ownBytes: 0 }
})
afterAll(() => files.close())
beforeEach(() => {
  for (const name of fs.readdirSync(files.root)) fs.rmSync(path.join(files.root, name), { recursive: true })
})

const extract = (name: string, format: ReadFormat, more: { to?: string; replaces?: boolean } = {}) =>
  files.job('extract', { path: name, format, to: 'out', ...more })
const outside = () => fs.readdirSync(path.dirname(files.root)).sort()
/** The remains of work in the node's own area. */
const left = () => ['parts', 'ready'].flatMap((name) => fs.readdirSync(path.join(files.area, name)))
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const at = path.join(entry.parentPath, entry.name)
        return [path.relative(folder, at), fs.readFileSync(at).toString('base64')]
      })
      .sort(),
  )
const out = () => path.join(files.root, 'out')

/** Everything that the run can do with files must stay in the folder; these must not reach it. */
const TRAPS: readonly (readonly [name: string, why: string])[] = [
  ['../up.txt', 'climbs'],
  ['a/../../up.txt', 'climbs'],
  ['..\\up.txt', 'climbs'],
  ['a\\..\\..\\up.txt', 'climbs'],
  ['/etc/bakter-trap', 'absolute'],
  ['//etc/bakter-trap', 'absolute'],
  ['\\etc\\bakter-trap', 'absolute'],
  ['C:\\trap.txt', 'absolute'],
  ['c:trap.txt', 'absolute'],
  [`${'d/'.repeat(100)}deep.txt`, 'name'],
  [`${'n'.repeat(256)}`, 'name'],
]

const trapArchives = async (): Promise<
  readonly (readonly [ReadFormat, Buffer, readonly (readonly [string, string])[]])[]
> => {
  const entries = [['good.txt', ''] as const, ...TRAPS, ['also/good.txt', ''] as const]
  const fields: TarFields[] = entries.flatMap(([name]) => [
    { name: 'long', type: 'x', content: paxRecord('path', name) },
    { name: 'short', content: `content of ${name}` },
  ])
  const zip = zipOf(entries.map(([name]) => ({ name, content: `content of ${name}` })))
  const plain = {
    'good.txt': 'good',
    'also/good.txt': 'good',
    'trap.txt': 'trap',
    'trap2.txt': 'trap',
    'trap3.txt': 'trap',
  }
  const renames = { 'trap.txt': '../up.txt', 'trap2.txt': 'a/../../up.txt', 'trap3.txt': '/etc/bakter-trap' }
  const seven = await sevenZipOf(files.rig.folder, plain, { renames })
  return [
    ['zip', zip, TRAPS],
    ...Object.entries(WRAPPINGS).map(([format, wrap]) => [format as ReadFormat, wrap(tarOf(fields)), TRAPS] as const),
    ['7z', seven, []],
  ]
}

describe('archives made here', () => {
  it.each(WRITTEN_FORMATS)('as %s come back as they were, names, times and permissions included', async (format) => {
    files.put('world/level.dat', randomBytes(300_000))
    files.put('world/region/r.0.0.mca', randomBytes(1_500_000))
    files.put('world/empty.txt', '')
    files.put('world/ékezet ő.txt', 'ő')
    files.put(`world/${'long-'.repeat(45)}name.txt`, 'long')
    files.put('start.sh', '#!/bin/sh')
    fs.mkdirSync(path.join(files.root, 'world/nothing'))
    fs.chmodSync(path.join(files.root, 'start.sh'), 0o755)
    fs.utimesSync(path.join(files.root, 'start.sh'), 1_700_000_000, 1_700_000_000)
    files.own()
    const before = contents(files.root)
    const made = await files.job('compress', { folder: '', names: ['world', 'start.sh'], to: `all.${format}`, format })
    expect(made).toMatchObject({ state: 'done', kind: 'compress', path: `all.${format}`, things: 2, leftOutCount: 0 })
    expect(made.done).toBeGreaterThan(1_800_000)
    const read = await extract(`all.${format}`, format)
    expect(read).toMatchObject({ state: 'done', leftOut: [] })
    expect(contents(out())).toEqual(before)
    expect(fs.existsSync(path.join(out(), 'world/nothing'))).toBe(true)
    const script = fs.statSync(path.join(out(), 'start.sh'))
    expect([script.mode & 0o777, script.mtimeMs / 1_000]).toEqual([0o755, 1_700_000_000])
    expect(left()).toEqual([])
  })

  it('are read by the tools that everybody has', async () => {
    files.put('world/level.dat', 'level')
    const at = (name: string) => path.join(files.root, name)
    for (const format of WRITTEN_FORMATS)
      await files.job('compress', { folder: '', names: ['world'], to: `w.${format}`, format })
    const list = (tool: string, ...args: string[]) => execFileSync(tool, args, { encoding: 'utf8' })
    expect(list('unzip', '-p', at('w.zip'), 'world/level.dat')).toBe('level')
    expect(list('tar', '-xOf', at('w.tar'), 'world/level.dat')).toBe('level')
    expect(list('tar', '-xOzf', at('w.tar.gz'), 'world/level.dat')).toBe('level')
    expect(list('tar', '--zstd', '-xOf', at('w.tar.zst'), 'world/level.dat')).toBe('level')
  })

  it('replace nothing, do not contain themselves, and are refused without room', async () => {
    files.put('a.txt', 'a'.repeat(100_000))
    files.put('taken.zip', 'mine')
    const taken = await files.job('compress', { folder: '', names: ['a.txt'], to: 'taken.zip', format: 'zip' })
    expect(taken).toMatchObject({ state: 'failed', refusal: 'ALREADY_EXISTS' })
    expect(files.text('taken.zip')).toBe('mine')
    const whole = await files.job('compress', {
      folder: '',
      names: ['a.txt', 'taken.zip'],
      to: 'whole.tar',
      format: 'tar',
    })
    expect(whole.state).toBe('done')
    expect(execFileSync('tar', ['-tf', path.join(files.root, 'whole.tar')], { encoding: 'utf8' })).toBe(
      'a.txt\ntaken.zip\n',
    )
    const limit = files.limitBytes
    files.usage = { bytes: limit - 50_000, ownBytes: 0 }
    const full = await files.job('compress', { folder: '', names: ['a.txt'], to: 'full.tar', format: 'tar' })
    files.usage = { bytes: 0, ownBytes: 0 }
    expect(full).toMatchObject({ state: 'failed', refusal: 'NO_SPACE' })
    expect([files.exists('full.tar'), left()]).toEqual([false, []])
  })

  it('hold a log that grows meanwhile with the size that it had', async () => {
    files.put('grows.log', 'x'.repeat(3_000_000))
    const writing = setInterval(() => fs.appendFileSync(path.join(files.root, 'grows.log'), 'more\n'), 1)
    const made = await files.job('compress', { folder: '', names: ['grows.log'], to: 'log.tar', format: 'tar' })
    clearInterval(writing)
    expect(made.state).toBe('done')
    const listed = execFileSync('tar', ['-tvf', path.join(files.root, 'log.tar')], { encoding: 'utf8' })
    expect(Number(/\s(\d{7,})\s/.exec(listed)?.[1])).toBeGreaterThanOrEqual(3_000_000)
  })
})

describe('case 98: names that lead out of the folder', () => {
  it('are left out of every format and named in the report, and nothing outside changes', async () => {
    const before = outside()
    for (const [format, bytes, traps] of await trapArchives()) {
      files.put(`trap.${format}`, bytes)
      const job = await extract(`trap.${format}`, format)
      expect([format, job.state]).toEqual([format, 'done'])
      expect(Object.keys(contents(out()))).toEqual(expect.arrayContaining(['also/good.txt', 'good.txt']))
      expect([format, job.leftOut.map(({ name, why }) => [name, why])]).toEqual(
        format === '7z'
          ? ['7z', expect.arrayContaining([['../up.txt', 'climbs']])]
          : [format, traps.map(([name, why]) => [name.slice(0, 300), why])],
      )
      expect(job.leftOutCount).toBe(job.leftOut.length)
      const made = fs.readdirSync(out(), { recursive: true })
      expect(made.filter((name) => /up|trap|deep|nnn/.test(String(name)))).toEqual([])
      fs.rmSync(out(), { recursive: true })
      fs.rmSync(path.join(files.root, `trap.${format}`))
      expect([files.tree(), outside(), fs.existsSync('/etc/bakter-trap')]).toEqual([[], before, false])
    }
  })

  it('of one compressed file is that of the archive', async () => {
    files.put('2026-11-01-1.log.gz', Buffer.concat([gzipSync('first\n'), gzipSync('second\n')]))
    expect(await extract('2026-11-01-1.log.gz', 'gz', { to: '' })).toMatchObject({ state: 'done' })
    expect(files.text('2026-11-01-1.log')).toBe('first\nsecond\n')
  })
})

describe('case 99: entries that are no plain files', () => {
  it.each(Object.entries(WRAPPINGS))(
    'of %s are left out: links, what goes through them, devices, holes',
    async (format, wrap) => {
      files.put('victim.txt', 'mine')
      const bytes = tarOf([
        { name: 'up', type: '2', link: '..' },
        { name: 'up/victim.txt', content: 'owned' },
        { name: 'abs', type: '2', link: '/etc' },
        { name: 'abs/bakter-trap', content: 'owned' },
        { name: 'hard', type: '1', link: '../victim.txt' },
        { name: 'hard2', type: '1', link: 'hard' },
        { name: 'device', type: '3' },
        { name: 'block', type: '4' },
        { name: 'pipe', type: '6' },
        { name: 'GNUSparseFile.1/holes', content: '1\n0\n5\n' },
        { name: 'twice.txt', content: 'first' },
        { name: 'twice.txt', content: 'second' },
        { name: 'good.txt', content: 'good' },
      ])
      files.put(`links.${format}`, wrap(bytes))
      const job = await extract(`links.${format}`, format as ReadFormat)
      expect(job.state).toBe('done')
      expect(job.leftOut).toEqual([
        { name: 'up', why: 'link' },
        { name: 'abs', why: 'link' },
        { name: 'hard', why: 'link' },
        { name: 'hard2', why: 'link' },
        { name: 'device', why: 'special' },
        { name: 'block', why: 'special' },
        { name: 'pipe', why: 'special' },
        { name: 'GNUSparseFile.1/holes', why: 'special' },
      ])
      expect(files.text('victim.txt')).toBe('mine')
      expect(fs.existsSync('/etc/bakter-trap')).toBe(false)
      // Without the links, what should have gone through them is in plain folders.
      expect(fs.readFileSync(path.join(out(), 'up/victim.txt'), 'utf8')).toBe('owned')
      expect(fs.readFileSync(path.join(out(), 'twice.txt'), 'utf8')).toBe('second')
      expect(fs.lstatSync(path.join(out(), 'up')).isDirectory()).toBe(true)
    },
  )

  it('of a zip are left out by their mode', async () => {
    const bytes = zipOf([
      { name: 'link', content: '/etc/passwd', mode: 0o120777 },
      { name: 'device', content: '', mode: 0o020644 },
      { name: 'setuid', content: 'x', mode: 0o104755 },
      { name: Buffer.from('nul\0name'), content: 'x' },
    ])
    files.put('modes.zip', bytes)
    expect((await extract('modes.zip', 'zip')).leftOut).toEqual([
      { name: 'link', why: 'link' },
      { name: 'device', why: 'special' },
      { name: 'nul\0name', why: 'name' },
    ])
    expect(fs.statSync(path.join(out(), 'setuid')).mode & 0o7777).toBe(0o755)
  })

  it('with names of headers that lie are damaged or plain', async () => {
    const cases: readonly (readonly [string, Buffer, string])[] = [
      [
        'a number as its name',
        tarOf([
          { name: 'x', type: 'x', content: paxRecord('path', '123') },
          { name: 'short', content: 'n' },
        ]),
        'done',
      ],
      [
        'a NUL in its name',
        tarOf([
          { name: 'x', type: 'x', content: paxRecord('path', 'a\0b') },
          { name: 'short', content: 'n' },
        ]),
        'done',
      ],
      [
        'a long GNU name',
        tarOf([
          { name: '././@LongLink', type: 'L', content: `${'l'.repeat(150)}\0` },
          { name: 'short', content: 'n' },
        ]),
        'done',
      ],
      [
        'a negative size',
        tarOf([{ name: 'neg', content: '', size: '\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff' }]),
        'done',
      ],
      ['a size beyond the end', tarOf([{ name: 'cut', content: 'short', size: '00000100000\0' }], true), 'failed'],
      [
        'a damaged header',
        Buffer.concat([tarOf([{ name: 'a', content: 'a' }], true), randomBytes(512), Buffer.alloc(1_024)]),
        'failed',
      ],
      ['nothing', Buffer.alloc(0), 'failed'],
      ['no tar at all', randomBytes(5_000), 'failed'],
    ]
    for (const [what, bytes, state] of cases) {
      files.put('lies.tar', bytes)
      const job = await extract('lies.tar', 'tar')
      expect([what, job.state, job.refusal]).toEqual([what, state, state === 'failed' ? 'ARCHIVE_DAMAGED' : null])
      expect([what, fs.existsSync(out())]).toEqual([what, state === 'done'])
      fs.rmSync(out(), { recursive: true, force: true })
      expect(left()).toEqual([])
    }
  })
})

describe('case 100: archives that are bombs', () => {
  const zeros = Buffer.alloc(60 * 1024 * 1024)
  const bomb = async (name: string, format: ReadFormat, bytes: Buffer) => {
    files.put(name, bytes)
    const job = await extract(name, format)
    expect([name, fs.existsSync(out()), left()]).toEqual([name, false, []])
    return job.refusal
  }

  it('of few bytes for many are stopped in every format', async () => {
    const tar = tarOf([{ name: 'zeros', content: zeros }])
    expect(await bomb('bomb.zip', 'zip', zipOf([{ name: 'zeros', content: zeros }]))).toBe('ARCHIVE_TOO_DENSE')
    for (const [format, wrap] of Object.entries(WRAPPINGS)) {
      if (format !== 'tar')
        expect(await bomb(`bomb.${format}`, format as ReadFormat, wrap(tar))).toBe('ARCHIVE_TOO_DENSE')
    }
    expect(await bomb('bomb.7z', '7z', await sevenZipOf(files.rig.folder, { zeros }))).toBe('ARCHIVE_TOO_DENSE')
    expect(await bomb('bomb.gz', 'gz', gzipSync(zeros))).toBe('ARCHIVE_TOO_DENSE')
  })

  it('that skip what is large are stopped all the same', async () => {
    const tar = tarOf([{ name: 'holes', type: 'S', content: zeros }])
    expect(await bomb('skip.tar.gz', 'tar.gz', gzipSync(tar))).toBe('ARCHIVE_TOO_DENSE')
  })

  it('whose sizes lie, or whose entries share their bytes, are damaged', async () => {
    const content = randomBytes(200_000)
    expect(await bomb('small.zip', 'zip', zipOf([{ name: 'a', content, says: { size: 10 } }]))).toBe('ARCHIVE_DAMAGED')
    expect(
      await bomb('large.zip', 'zip', zipOf([{ name: 'a', content: 'ten bytes.', says: { size: 4_000_000_000 } }])),
    ).toBe('ARCHIVE_TOO_DENSE')
    expect(await bomb('sum.zip', 'zip', zipOf([{ name: 'a', content, says: { crc: 1 } }]))).toBe('ARCHIVE_DAMAGED')
    const shared = [
      { name: 'a', content },
      ...Array.from({ length: 50 }, (_, index) => ({ name: `b${index}`, content, sharesWith: 0 })),
    ]
    expect(await bomb('shared.zip', 'zip', zipOf(shared))).toBe('ARCHIVE_DAMAGED')
    expect(await bomb('locked.zip', 'zip', zipOf([{ name: 'a', content, says: { encrypted: true } }]))).toBe(
      'ARCHIVE_ENCRYPTED',
    )
    expect(
      await bomb('locked.7z', '7z', await sevenZipOf(files.rig.folder, { a: content }, { password: 'secret' })),
    ).toBe('ARCHIVE_ENCRYPTED')
    expect(await bomb('noise.7z', '7z', content)).toBe('ARCHIVE_DAMAGED')
    expect(await bomb('noise.zip', 'zip', content)).toBe('ARCHIVE_DAMAGED')
    expect(await bomb('noise.tar.zst', 'tar.zst', content)).toBe('ARCHIVE_DAMAGED')
    const whole = await sevenZipOf(files.rig.folder, { a: content })
    expect(await bomb('cut.7z', '7z', whole.subarray(0, whole.length - 1_000))).toBe('ARCHIVE_DAMAGED')
  })

  it('of 100,001 entries are refused, and those of 100,000 are not', async () => {
    // Links, because they count and are not made: making so many files takes minutes on some disks.
    const tar = tarOf(Array.from({ length: 100_001 }, (_, index) => ({ name: `l${index}`, type: '2', link: 'x' })))
    expect(await bomb('many.tar.gz', 'tar.gz', gzipSync(tar))).toBe('ARCHIVE_TOO_MANY')
    files.put('most.tar', tar.subarray(512))
    expect(await extract('most.tar', 'tar')).toMatchObject({ state: 'done', leftOutCount: 100_000 })
  })

  it('larger than the storage that is left are stopped before it is full', async () => {
    files.put('big.tar', tarOf([{ name: 'a', content: randomBytes(400_000) }]))
    files.put('big.zip', zipOf([{ name: 'a', content: randomBytes(400_000) }]))
    files.usage = { bytes: files.limitBytes - 300_000, ownBytes: 0 }
    const refusals = [(await extract('big.tar', 'tar')).refusal, (await extract('big.zip', 'zip')).refusal]
    files.usage = { bytes: 0, ownBytes: 0 }
    expect([refusals, fs.existsSync(out()), left()]).toEqual([['NO_SPACE', 'NO_SPACE'], false, []])
  })
})
