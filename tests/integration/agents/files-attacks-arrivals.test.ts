import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { UPLOAD_CONTENT_TYPE } from '#contracts/panel/uploads.ts'
import { isPublicAddress } from '#platform/public-address.ts'
import { metadataHeader } from '../../../agents/http/upload-headers.ts'
import { SERVER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig, type Answer } from '../../support/files-rig.ts'
import { swapFolderForLink } from '../../support/swap-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { WebSource } from '../../support/web-source.ts'

const isRoot = process.getuid?.() === 0
const RACE_MS = process.env['BAKTER_TEST_SLICE'] ? 1_000 : 10_000
const SECRET = 'the secret of somebody else'
const OTHER_ID = '01990000-0000-7000-8000-000000000002'
const PUBLIC = '127.0.0.31'
const FILES = `/servers/${SERVER_ID}/files`
const TUS = { 'tus-resumable': '1.0.0' }

let rig: FilesRig
let source: WebSource
/** The folder of the other server. */
let there: string
/** A folder beside the server's, with a secret in it. */
let outside: string

beforeAll(async () => {
  rig = await FilesRig.open()
  there = await rig.addServer(OTHER_ID, 'acdefghm', { uid: rig.uid + 1 })
  outside = path.join(rig.rig.folder, 'outside')
  source = await WebSource.open(PUBLIC)
  source.send(Buffer.from('owned'))
  rig.network = {
    ...rig.network,
    resolve: () => Promise.resolve([PUBLIC]),
    isAllowed: (address) => address === PUBLIC || isPublicAddress(address),
  }
  await rig.openDoor()
})
afterAll(async () => {
  await rig.close()
  await source.close()
})

const emptied = (folder: string): void => {
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true })
}
beforeEach(async () => {
  emptied(rig.root)
  emptied(there)
  await rig.call('empty-bin', {})
  fs.rmSync(outside, { recursive: true, force: true })
  fs.mkdirSync(outside)
  fs.writeFileSync(path.join(outside, 'secret'), SECRET)
  // The server's own user may enter it: what keeps the secret here is the walk, not the permissions.
  if (isRoot) for (const each of [outside, path.join(outside, 'secret')]) fs.chownSync(each, rig.uid, rig.uid)
})

/** There is no version of what was never saved here. */
const isEmptyHistory = ({ json }: Answer): boolean => JSON.stringify(json) === '{"versions":[]}'

const untouched = (): void => {
  expect(fs.readdirSync(outside)).toEqual(['secret'])
  expect(fs.readFileSync(path.join(outside, 'secret'), 'utf8')).toBe(SECRET)
}

const tokenOf = (server: string): Promise<string> => rig.token({ server })

/** Something in the bin, which is to come back. */
const binned = async (): Promise<string> => {
  await rig.write('gone', 'owned')
  await rig.call('delete', { paths: ['gone'] })
  const { entries } = (await rig.call('bin', {})).json as { entries: { id: string }[] }
  return entries[0]?.id ?? ''
}

const created = (target: string): Promise<Answer> =>
  rig.ask(`${FILES}/uploads`, {
    method: 'POST',
    headers: { ...TUS, 'upload-length': '5', 'upload-metadata': metadataHeader({ path: target, replaces: 'any' }) },
  })

/** The file of an upload is placed with its last byte. */
const uploaded = async (target: string): Promise<Answer> => {
  const begun = await created(target)
  if (begun.status !== 201) return begun
  return rig.ask(`${FILES}/${String(begun.headers['location'])}`, {
    method: 'PATCH',
    headers: { ...TUS, 'content-type': UPLOAD_CONTENT_TYPE, 'upload-offset': '0' },
    body: Buffer.from('owned'),
  })
}

const sentAway = async (target: string, moves: boolean): Promise<Answer> => {
  const token = await tokenOf(OTHER_ID)
  return rig.settled('transfer', { paths: [target], server: OTHER_ID, token, folder: '', taken: 'number', moves })
}

interface Way {
  readonly run: (target: string) => Promise<Answer>
  /** The thing goes into the folder of the path, and is not at the path itself. */
  readonly isFolder?: true
}
/** Every way on which something arrives at a path, or leaves it for another server. */
const WAYS: Readonly<Record<string, Way>> = {
  'a pull into the folder': {
    isFolder: true,
    run: (folder) =>
      rig.settled('pull', {
        address: `http://web.test:${source.port}/secret`,
        folder,
        name: 'secret',
        taken: 'replace',
      }),
  },
  'a transfer into the folder': {
    isFolder: true,
    run: async (folder) => {
      const input = {
        paths: ['mine'],
        server: SERVER_ID,
        token: await tokenOf(SERVER_ID),
        folder,
        taken: 'replace' as const,
      }
      return jobOf(
        await rig.ask(`/servers/${OTHER_ID}/files/transfer`, {
          method: 'POST',
          body: JSON.stringify(input),
          token: await tokenOf(OTHER_ID),
        }),
      )
    },
  },
  'a transfer to another server': { run: (target) => sentAway(target, false) },
  'a transfer that moves': { run: (target) => sentAway(target, true) },
  'an upload in parts': { run: uploaded },
  'a return from the bin': { run: async (to) => rig.call('restore', { id: await binned(), to }) },
  'the history of a file': { run: (target) => rig.call('history', { path: target }) },
  'an earlier version': {
    run: (target) => rig.ask(`${FILES}/content?path=${encodeURIComponent(target)}&version=1-1`),
  },
}

/** The end of a transfer from the other server, whose jobs are its own. */
const jobOf = async (answer: Answer): Promise<Answer> => {
  if (answer.status !== 200) return answer
  const { id } = (answer.json as { job: { id: string } }).job
  return waitFor('the end of the transfer', async () => {
    const token = await tokenOf(OTHER_ID)
    const list = await rig.ask(`/servers/${OTHER_ID}/files/jobs`, { method: 'POST', body: '{}', token })
    const job = (list.json as { jobs: { id: string; endedAtMs: number | null; refusal: string | null }[] }).jobs.find(
      (each) => each.id === id && each.endedAtMs !== null,
    )
    if (job === undefined) return undefined
    return job.refusal === null
      ? { ...list, json: job }
      : { ...list, status: 400, json: { error: { code: job.refusal } } }
  })
}

/** The refusal of a response: of the whole request, or of its only thing; undefined if something was done. */
const refusalOf = (answer: Answer): unknown => {
  if (answer.status >= 300) return codeOf(answer)
  const { refusals } = (answer.json ?? {}) as { refusals?: unknown[] }
  return refusals?.[0] ?? undefined
}

const STOPPED = ['LINK_REFUSED', 'NOT_A_FOLDER', 'ALREADY_EXISTS', 'NOT_FOUND']

/** A fresh folder of each server: with something of its own, and a link. */
const prepared = (link: string | undefined): void => {
  emptied(rig.root)
  emptied(there)
  fs.writeFileSync(path.join(there, 'mine'), 'owned')
  if (isRoot) fs.chownSync(path.join(there, 'mine'), rig.uid + 1, rig.uid + 1)
  rig.put('own', 'own')
  if (link !== undefined) fs.symlinkSync(link, path.join(rig.root, 'link'))
  rig.own()
}

describe('case 91: a path that climbs', () => {
  const PATHS = [
    '../outside/secret',
    '..',
    'own/../../outside/secret',
    '/etc/passwd',
    './own',
    'own//x',
    'own\0/x',
    '/proc/self/root/etc/passwd',
    'n'.repeat(256),
    `${'a/'.repeat(2_048)}b`,
  ]
  for (const [way, { run }] of Object.entries(WAYS)) {
    it(`is refused by ${way}`, async () => {
      for (const target of PATHS) {
        prepared(undefined)
        const answer = await run(target)
        expect([target.slice(0, 40), answer.status, codeOf(answer)]).toEqual([
          target.slice(0, 40),
          400,
          way === 'an upload in parts' ? expect.stringMatching(/^INVALID_/) : 'INVALID_PATH',
        ])
      }
      untouched()
    })
  }
})

describe('case 92: a link that leads outside', () => {
  for (const [way, { run, isFolder }] of Object.entries(WAYS)) {
    it(`stops ${way}, as the thing and as a folder on the way`, async () => {
      for (const target of isFolder ? ['link'] : ['link', 'link/secret', 'link/new']) {
        prepared(target === 'link' && !isFolder ? path.join(outside, 'secret') : outside)
        const answer = await run(target)
        const refusal = isEmptyHistory(answer) ? 'NOT_FOUND' : refusalOf(answer)
        // A transfer may take the link itself along, as a link.
        const mayGo = target === 'link' && way.startsWith('a transfer') && !isFolder
        expect([target, mayGo || STOPPED.includes(String(refusal))]).toEqual([target, true])
        for (const name of fs.readdirSync(there)) {
          const arrived = path.join(there, name)
          if (!fs.lstatSync(arrived).isSymbolicLink()) expect(fs.readFileSync(arrived, 'utf8')).toBe('owned')
        }
        untouched()
      }
    })
  }
})

describe('case 93: a folder that is swapped for a link meanwhile', () => {
  for (const [way, { run, isFolder }] of Object.entries(WAYS)) {
    it(`${way} never reaches what the link names`, async () => {
      prepared(undefined)
      rig.put('race/dir/secret', 'mine')
      const swapping = swapFolderForLink({ root: rig.root, outside, uid: isRoot ? rig.uid : undefined })
      let times = 0
      try {
        await waitFor('the program to swap', () => rig.exists('race/real'))
        for (const endsAtMs = Date.now() + RACE_MS; Date.now() < endsAtMs || times <= 20; times += 1) {
          const answer = await run(isFolder ? 'race/dir' : 'race/dir/secret')
          expect(answer.bytes.includes(SECRET)).toBe(false)
        }
      } finally {
        await swapping.end()
      }
      expect(times).toBeGreaterThan(20)
      const arrived = fs.readdirSync(there).map((name) => fs.readFileSync(path.join(there, name), 'utf8'))
      expect(arrived).not.toContain(SECRET)
      untouched()
    })
  }
})
