import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { folderOf, nameOf } from '#contracts/panel/file-path.ts'
import { SERVER_ID } from '../../factories/server-spec.ts'
import { zipOf } from '../../support/archives.ts'
import { codeOf, FilesRig, type Answer } from '../../support/files-rig.ts'
import { swapFolderForLink } from '../../support/swap-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const isRoot = process.getuid?.() === 0
const RACE_MS = process.env['BAKTER_TEST_SLICE'] ? 1_000 : 10_000
const SECRET = 'the secret of somebody else'

let rig: FilesRig
/** A folder beside the server's, with a secret in it. */
let outside: string

beforeAll(async () => {
  rig = await FilesRig.open()
  outside = path.join(rig.rig.folder, 'outside')
})
afterAll(() => rig.close())
beforeEach(async () => {
  rig.clear()
  await rig.settled('empty-bin', {})
  fs.rmSync(outside, { recursive: true, force: true })
  fs.mkdirSync(outside)
  fs.writeFileSync(path.join(outside, 'secret'), SECRET)
  // The server's own user may enter it: what keeps the secret here is the walk, not the permissions.
  if (isRoot) for (const each of [outside, path.join(outside, 'secret')]) fs.chownSync(each, rig.uid, rig.uid)
})

const untouched = (): void => {
  expect(fs.readdirSync(outside)).toEqual(['secret'])
  expect(fs.readFileSync(path.join(outside, 'secret'), 'utf8')).toBe(SECRET)
  expect(fs.statSync(path.join(outside, 'secret')).mode & 0o777).toBe(0o644)
}

/** Writes over the secret wherever it is extracted to its folder. */
const EVIL = zipOf([{ name: 'secret', content: 'owned' }])

type Verb = (target: string) => Promise<Answer>
/** Every verb with a path, aimed at it. */
const VERBS: Readonly<Record<string, Verb>> = {
  list: (target) => rig.call('list', { path: target }),
  'folder size': (target) => rig.call('folder-size', { path: target }),
  search: (target) => rig.call('search', { path: target, content: 'secret' }),
  read: (target) => rig.read(target),
  write: (target) => rig.write(target, 'mine'),
  create: (target) => rig.write(target, 'mine', { 'if-none-match': '*' }),
  'create-file': (target) => rig.call('create-file', { path: target }),
  'create-folder': (target) => rig.call('create-folder', { path: target }),
  'move from': (target) => rig.call('move', { moves: [{ from: target, to: 'moved' }] }),
  'move to': (target) => rig.call('move', { moves: [{ from: 'own', to: target }] }),
  'copy from': (target) => rig.settled('copy', { moves: [{ from: target, to: 'copied' }] }),
  'copy to': (target) => rig.settled('copy', { moves: [{ from: 'own', to: target }] }),
  compress: async (target) => {
    const input = { folder: folderOf(target), names: [nameOf(target)], to: 'made.tar', format: 'tar' as const }
    const answer = await rig.settled('compress', input)
    if (answer.status !== 200) return answer
    const { bytes } = await rig.read('made.tar')
    await rig.settled('delete', { paths: ['made.tar'], forever: true })
    return { ...answer, bytes }
  },
  'compress to': (target) => rig.settled('compress', { folder: '', names: ['own'], to: target, format: 'zip' }),
  'extract from': (target) => rig.settled('extract', { path: target, format: 'tar', to: 'extracted' }),
  'extract to': (target) => rig.settled('extract', { path: 'own.zip', format: 'zip', to: target, replaces: true }),
  chmod: (target) => rig.call('change-mode', { paths: [target], mode: 0o777 }),
  delete: (target) => rig.settled('delete', { paths: [target] }),
  'delete for ever': (target) => rig.settled('delete', { paths: [target], forever: true }),
  download: async (target) => rig.ask(`/servers/${SERVER_ID}/download?token=${await rig.downloadToken(target)}`),
}

/** The refusal of a response: of the whole request, or of its only thing; undefined if something was done. */
const refusalOf = (answer: Answer): unknown => {
  if (answer.status !== 200) return codeOf(answer)
  const { refusals } = (answer.json ?? {}) as { refusals?: unknown[] }
  return refusals === undefined ? undefined : (refusals[0] ?? undefined)
}

describe('case 91: a path that climbs', () => {
  const long = `${'a/'.repeat(2_048)}b`
  const PATHS = [
    '../outside/secret',
    '..',
    'own/../../outside/secret',
    '..%2foutside%2fsecret',
    '%2e%2e/outside/secret',
    '..%252foutside',
    '..\\outside\\secret',
    'own\\..\\..\\outside',
    '....//outside/secret',
    '/etc/passwd',
    '//etc/passwd',
    './own',
    'own/.',
    'own//x',
    'own/',
    'own\0/x',
    '~',
    '~/x',
    '/proc/self/root/etc/passwd',
    'n'.repeat(256),
    long,
  ]

  for (const [verb, run] of Object.entries(VERBS)) {
    it(`is refused by ${verb}, whatever it looks like`, async () => {
      rig.put('own', 'own')
      for (const target of PATHS) {
        const answer = await run(target)
        const expected = verb === 'download' ? ['INVALID_TOKEN', 401] : ['INVALID_PATH', 400]
        expect([target.slice(0, 40), codeOf(answer), answer.status]).toEqual([target.slice(0, 40), ...expected])
      }
      untouched()
      expect(rig.tree()).toEqual(['own'])
    })
  }

  it('is not the folder itself either: it is never moved, deleted or overwritten (case 96)', async () => {
    for (const verb of ['move from', 'delete', 'delete for ever', 'chmod', 'write', 'create-folder', 'copy from']) {
      expect([verb, codeOf(await (VERBS[verb] as Verb)(''))]).toEqual([verb, 'INVALID_PATH'])
    }
    expect(fs.statSync(rig.root).mode & 0o777).toBe(0o700)
  })
})

describe('case 92: a link that leads outside', () => {
  const LINKS: Readonly<Record<string, (link: string) => string>> = {
    'absolute, to a file': () => path.join(outside, 'secret'),
    relative: (link) => path.relative(path.dirname(link), path.join(outside, 'secret')),
    'to /proc/1/root': () => '/proc/1/root/etc/passwd',
    'to /proc/self/fd': () => '/proc/self/fd/3',
    dangling: () => path.join(outside, 'missing'),
  }

  for (const [kind, targetOf] of Object.entries(LINKS)) {
    it(`${kind}: no verb passes it, and only the link itself can be moved, copied and deleted`, async () => {
      const link = path.join(rig.root, 'link')
      for (const verb of [
        'read',
        'write',
        'create',
        'chmod',
        'download',
        'list',
        'create-file',
        'create-folder',
        'move to',
        'copy to',
        'compress to',
        'extract from',
        'extract to',
      ]) {
        fs.rmSync(rig.root, { recursive: true })
        fs.mkdirSync(rig.root, { mode: 0o700 })
        if (isRoot) fs.chownSync(rig.root, rig.uid, rig.uid)
        await rig.workers.end({ serverId: SERVER_ID, stateFile: '' })
        rig.put('own', 'own')
        rig.put('own.zip', EVIL)
        fs.symlinkSync(targetOf(link), link)
        rig.own()
        const refusal = refusalOf(await (VERBS[verb] as Verb)('link'))
        expect([verb, ['LINK_REFUSED', 'ALREADY_EXISTS', 'NOT_A_FOLDER'].includes(String(refusal))]).toEqual([
          verb,
          true,
        ])
        expect(fs.readlinkSync(link)).toBe(targetOf(link))
      }
      untouched()
      expect(refusalOf(await (VERBS['copy from'] as Verb)('link'))).toBeUndefined()
      expect(fs.readlinkSync(path.join(rig.root, 'copied'))).toBe(targetOf(link))
      expect(refusalOf(await (VERBS['delete'] as Verb)('link'))).toBeUndefined()
      untouched()
    })
  }

  it('in the place of a folder stops every verb on the way', async () => {
    fs.symlinkSync(outside, path.join(rig.root, 'dir'))
    rig.put('own', 'own')
    rig.put('own.zip', EVIL)
    for (const [verb, run] of Object.entries(VERBS)) {
      const refusal = refusalOf(await run('dir/secret'))
      expect([verb, ['LINK_REFUSED', 'NOT_A_FOLDER'].includes(String(refusal))]).toEqual([verb, true])
    }
    untouched()
  })

  it('in a chain or a loop ends, and a search, a size and a copy go around it', async () => {
    fs.mkdirSync(path.join(rig.root, 'a'))
    fs.symlinkSync('..', path.join(rig.root, 'a/up'))
    fs.symlinkSync('loop', path.join(rig.root, 'loop'))
    fs.symlinkSync(outside, path.join(rig.root, 'a/out'))
    rig.own()
    expect((await rig.call('search', { path: '', content: 'secret' })).json).toEqual({ matches: [], isPartial: false })
    expect((await rig.call('folder-size', { path: '' })).json).toMatchObject({ entries: 4 })
    expect(refusalOf(await rig.settled('copy', { moves: [{ from: 'a', to: 'b' }] }))).toBeUndefined()
    expect(fs.readlinkSync(path.join(rig.root, 'b/out'))).toBe(outside)
    expect(refusalOf(await rig.read('loop'))).toBe('LINK_REFUSED')
  })
})

describe("case 94 to 97: files that are none of the server's", () => {
  it('a second name of a file of another user is neither read nor changed nor given away', async () => {
    // Without root there is no other user.
    if (!isRoot) return
    const foreign = path.join(rig.rig.folder, 'foreign')
    fs.writeFileSync(foreign, SECRET, { mode: 0o600 })
    fs.linkSync(foreign, path.join(rig.root, 'hard'))
    rig.put('own', 'own')
    fs.chownSync(foreign, 0, 0)
    expect(refusalOf(await rig.read('hard'))).toBe('DENIED')
    expect(refusalOf(await rig.settled('copy', { moves: [{ from: 'hard', to: 'copied' }] }))).toBe('DENIED')
    expect(refusalOf(await rig.call('change-mode', { paths: ['hard'], mode: 0o777 }))).toBe('DENIED')
    const stats = fs.statSync(foreign)
    expect([stats.uid, stats.mode & 0o777, fs.readFileSync(foreign, 'utf8')]).toEqual([0, 0o600, SECRET])
    expect(rig.tree()).toEqual(['hard', 'own'])
  })

  it('a pipe, a socket and a device are listed, and never opened or copied', async () => {
    execFileSync('mkfifo', [path.join(rig.root, 'pipe')])
    if (isRoot) execFileSync('mknod', [path.join(rig.root, 'device'), 'c', '1', '5'])
    rig.own()
    const others = isRoot ? ['device', 'pipe'] : ['pipe']
    const { entries } = (await rig.call('list', { path: '' })).json as { entries: { name: string; kind: string }[] }
    expect(entries.map(({ name, kind }) => [name, kind])).toEqual(others.map((name) => [name, 'other']))
    for (const name of others) {
      expect([name, refusalOf(await rig.read(name))]).toEqual([name, 'NOT_A_FILE'])
      expect([name, refusalOf(await rig.write(name, 'x'))]).toEqual([name, 'NOT_A_FILE'])
    }
    expect((await rig.call('search', { path: '', content: 'x' })).json).toEqual({ matches: [], isPartial: false })
  })

  it('no bit beyond the nine is set, of a file or of a copy', async () => {
    rig.put('suid', 'x')
    fs.chmodSync(path.join(rig.root, 'suid'), 0o4755)
    for (const mode of [0o4777, 0o2755, 0o1777, -1, 0o10000]) {
      expect(codeOf(await rig.call('change-mode', { paths: ['suid'], mode }))).toBe('INVALID_REQUEST')
    }
    await rig.settled('copy', { moves: [{ from: 'suid', to: 'copy' }] })
    expect(fs.statSync(path.join(rig.root, 'copy')).mode & 0o7777).toBe(0o755)
  })
})

describe('case 93: a folder that is swapped for a link while a verb is on its way', () => {
  for (const [verb, run] of Object.entries(VERBS)) {
    it(`${verb} never reaches what the link names`, async () => {
      rig.put('race/dir/secret', 'mine')
      rig.put('own', 'own')
      rig.put('own.zip', EVIL)
      // Content goes into folders: the one that is swapped.
      const target = verb === 'extract to' ? 'race/dir' : 'race/dir/secret'
      const swapping = swapFolderForLink({ root: rig.root, outside, uid: isRoot ? rig.uid : undefined })
      let [times, leaks] = [0, 0]
      try {
        await waitFor('the program to swap', () => rig.exists('race/real'))
        // On a busy machine a second is too short for a race.
        for (const endsAtMs = Date.now() + RACE_MS; Date.now() < endsAtMs || times <= 20; times += 1) {
          const answers = await Promise.all([run(target), run(target)])
          leaks += answers.filter(({ bytes }) => bytes.includes(SECRET)).length
        }
      } finally {
        await swapping.end()
      }
      expect([leaks, times > 20]).toEqual([0, true])
      expect(fs.readFileSync(path.join(outside, 'secret'), 'utf8')).toBe(SECRET)
      untouched()
    })
  }
})
