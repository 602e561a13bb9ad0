import fs from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { FilesRig } from '../../support/files-rig.ts'
import { writeCertificate } from '../../support/test-certificate.ts'
import { WebSource } from '../../support/web-source.ts'

const HOST = '127.0.0.1'

let scratch: ReturnType<typeof scratchFolder>
let files: FilesRig
/** By HTTPS under the certificate of `localhost`, and by HTTP. */
let secure: WebSource
let plain: WebSource
let trusted: string
let foreign: string

const certificate = (folder: string) => {
  fs.mkdirSync(path.join(scratch.path, folder))
  const written = writeCertificate(path.join(scratch.path, folder), { name: 'localhost', days: 1 })
  return { cert: fs.readFileSync(written.certificate, 'utf8'), key: fs.readFileSync(written.key, 'utf8') }
}
beforeAll(async () => {
  scratch = scratchFolder()
  files = await FilesRig.open()
  const own = certificate('own')
  trusted = own.cert
  foreign = certificate('foreign').cert
  secure = await WebSource.open(HOST, own)
  plain = await WebSource.open(HOST)
  Object.assign(files.network, { resolve: () => Promise.resolve([HOST]), isAllowed: () => true })
})
afterAll(async () => {
  await files.close()
  await secure.close()
  await plain.close()
  scratch.remove()
})
beforeEach(() => {
  for (const name of fs.readdirSync(files.root)) fs.rmSync(path.join(files.root, name), { recursive: true })
  files.usage = { bytes: 0, ownBytes: 0 }
  files.activities.length = 0
  for (const source of [secure, plain]) source.requests.length = 0
  secure.send('over TLS')
  plain.redirect(`https://localhost:${secure.port}/pack.jar`)
  Object.assign(files.network, { ca: trusted })
})

const pull = (address: string): Promise<FileJob> => files.job('pull', { address, folder: '' })
const nothingCame = () => expect([files.tree(), files.activities, secure.requests.length]).toEqual([[], [], 0])

it('a file comes over TLS from a source whose certificate is trusted, also after a redirect to it', async () => {
  expect(await pull(`https://localhost:${secure.port}/pack.jar`)).toMatchObject({ state: 'done', path: 'pack.jar' })
  expect(files.text('pack.jar')).toBe('over TLS')
  fs.rmSync(path.join(files.root, 'pack.jar'))
  expect(await pull(`http://localhost:${plain.port}/`)).toMatchObject({ state: 'done', path: 'pack.jar' })
  expect(secure.requests).toHaveLength(2)
})

it('nothing is asked of a source whose certificate nobody trusts', async () => {
  for (const ca of [foreign, undefined]) {
    Object.assign(files.network, { ca })
    for (const address of [`https://localhost:${secure.port}/pack.jar`, `http://localhost:${plain.port}/`])
      expect(await pull(address)).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
  }
  nothingCame()
})

it('nothing is asked of a source whose certificate is for another name', async () => {
  const failed = { state: 'failed', refusal: 'SOURCE_FAILED' }
  expect(await pull(`https://web.test:${secure.port}/pack.jar`)).toMatchObject(failed)
  nothingCame()
})

it('a source over TLS that leads to plain HTTP is refused before it is asked', async () => {
  secure.redirect(`http://localhost:${plain.port}/pack.jar`)
  const failed = { state: 'failed', refusal: 'ADDRESS_REFUSED' }
  expect(await pull(`https://localhost:${secure.port}/pack.jar`)).toMatchObject(failed)
  expect([files.tree(), plain.requests.length]).toEqual([[], 0])
})
