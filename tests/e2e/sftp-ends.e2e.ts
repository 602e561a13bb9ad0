import { randomUUID } from 'node:crypto'
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { Page } from '@playwright/test'

import { CollaboratorList } from '../../src/contracts/http/panel/collaborators.ts'
import { NodeAccess, Server } from '../../src/contracts/http/server.ts'
import type { DemoFile } from '../support/demo.ts'
import { arrive, type NewCustomer, rentByApi } from '../support/journey.ts'
import { waitFor } from '../support/wait-for.ts'
import { expect, test } from './test.ts'

/** Clarifications, part 5: an end of access reaches open connections within this. */
const REVOKED_WITHIN_MS = 5_000
const EVERYTHING = ['file.list', 'file.read', 'file.create', 'file.update', 'file.sftp']
const KIB = 1024

/** OpenSSH's client on a terminal of its own: it stays, and is told what to do line by line. */
class OpenClient {
  readonly #child: ChildProcess
  said = ''
  code: number | undefined

  constructor(child: ChildProcess) {
    this.#child = child
    const hear = (text: Buffer): void => void (this.said += text.toString())
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.stdin?.on('error', () => {})
    child.once('exit', (code) => (this.code = code ?? 1))
  }

  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }
}

interface Place {
  readonly folder: string
  readonly host: string
  readonly port: number
  readonly identifier: string
}

const call = async (
  page: Page,
  demo: DemoFile,
  [method, target, data]: [string, string, object?],
): Promise<unknown> => {
  const headers = { origin: demo.url, 'idempotency-key': randomUUID() }
  const answer = await page.request.fetch(target, { method, headers, ...(data === undefined ? {} : { data }) })
  expect([target, answer.ok(), answer.ok() ? '' : await answer.text()]).toEqual([target, true, ''])
  const text = await answer.text()
  return text === '' ? undefined : JSON.parse(text)
}

const placeOf = async (page: Page, demo: DemoFile, serverId: string): Promise<Place> => {
  const { identifier } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  const { token } = NodeAccess.parse(
    await call(page, demo, ['POST', `/api/server/${serverId}/token`, { purpose: 'files' }]),
  )
  const answer = await page.request.post(`${demo.agentUrl}/servers/${serverId}/files/sftp`, {
    headers: { origin: demo.url, authorization: `Bearer ${token}` },
    data: {},
  })
  const { port } = (await answer.json()) as { port: number }
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'bakter-sftp-ends-'))
  fs.writeFileSync(path.join(folder, 'small.txt'), 'small')
  fs.writeFileSync(path.join(folder, 'large.bin'), Buffer.alloc(20_000 * KIB, 1))
  return { folder, host: new URL(demo.agentUrl).hostname, port, identifier }
}

/** Signed in and greeted; `kibPerSecond` slows its transfers down. */
const openClient = async (
  { folder, host, port, identifier }: Place,
  { username, password }: NewCustomer,
  kibPerSecond?: number,
): Promise<OpenClient> => {
  // Without a terminal the client asks this program.
  const asking = path.join(folder, `ask-${randomUUID()}`)
  fs.writeFileSync(asking, `#!/bin/sh\necho '${password}'\n`, { mode: 0o755 })
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'PubkeyAuthentication=no',
    'LogLevel=ERROR',
  ]
  const args = ['-F', '/dev/null', '-P', String(port), ...options.flatMap((option) => ['-o', option])]
  if (kibPerSecond !== undefined) args.push('-l', String(kibPerSecond * 8))
  const env = { ...process.env, SSH_ASKPASS: asking, SSH_ASKPASS_REQUIRE: 'force' }
  const client = new OpenClient(spawn('sftp', [...args, `${username}.${identifier}@${host}`], { env, detached: true }))
  client.tell('pwd')
  await waitFor('the connection', () => client.said.includes('Remote working directory'))
  return client
}

/** A request that is repeated until the client says this, within the time of a revocation. */
const hears = async (client: OpenClient, line: string, words: RegExp): Promise<void> => {
  client.said = ''
  const isSaid = (): boolean => {
    if (client.code === undefined) client.tell(line)
    return words.test(client.said)
  }
  await waitFor('the answer', isSaid, REVOKED_WITHIN_MS).catch(() => {})
  expect([client.said, client.code]).toEqual([expect.stringMatching(words), undefined])
}

/** The client looks at its connection once it has something to do. */
const ends = (client: OpenClient): Promise<unknown> =>
  waitFor(
    'the end of the connection',
    () => {
      client.tell('ls')
      return client.code !== undefined
    },
    REVOKED_WITHIN_MS,
  )

test('open SFTP connections end within five seconds once a right, the share or the password is gone, also in an upload', async ({
  browser,
  page,
  demo,
  dataDir,
}) => {
  test.setTimeout(300_000)
  const { serverId, ...owner } = await rentByApi(page)
  await expect
    .poll(async () => Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json()).status, {
      timeout: 90_000,
    })
    .toBe('running')
  const context = await browser.newContext({ baseURL: demo.url, locale: 'en' })
  const theirs = await context.newPage()
  await theirs.goto('/en')
  const moderator = await arrive(theirs)
  const share = { permissions: EVERYTHING, endsAt: null }
  await call(page, demo, [
    'POST',
    `/api/server/${serverId}/users`,
    { email: `${moderator.username}@example.com`, ...share },
  ])
  await call(theirs, demo, ['POST', `/api/user/invitations/${serverId}/accept`])
  const place = await placeOf(page, demo, serverId)
  const onDisk = (name: string): string => path.join(dataDir, 'agent/servers', place.identifier, 'root', name)

  const [idle, busy] = [await openClient(place, moderator), await openClient(place, moderator, 200)]
  idle.tell(`put ${path.join(place.folder, 'small.txt')} before.txt`)
  await waitFor('a file of the moderator', () => fs.existsSync(onDisk('before.txt')))
  busy.tell(`put ${path.join(place.folder, 'large.bin')} large.bin`)
  await waitFor(
    'an upload under way',
    () => fs.existsSync(onDisk('large.bin')) && fs.statSync(onDisk('large.bin')).size > 0,
  )

  let again: OpenClient | undefined
  await test.step('a right that is taken away ends the open connections, also in an upload', async () => {
    const people = CollaboratorList.parse(await call(page, demo, ['GET', `/api/server/${serverId}/users`]))
    const { id, permissions, endsAt } = people.find(({ username }) => username === moderator.username) ?? {}
    const less = EVERYTHING.filter((each) => each !== 'file.create' && each !== 'file.update')
    await call(page, demo, [
      'PUT',
      `/api/server/${serverId}/users/${id}`,
      { permissions: less, endsAt: null, seen: { permissions, endsAt } },
    ])
    await Promise.all([ends(idle), ends(busy)])
    expect(fs.statSync(onDisk('large.bin')).size).toBeLessThan(20_000 * KIB)
    // A collaborator who comes back has the rest of the share.
    again = await openClient(place, moderator)
    await hears(again, `put ${path.join(place.folder, 'small.txt')} after.txt`, /after\.txt": Permission denied/)
    await hears(again, 'ls', /before\.txt/)
    expect(fs.existsSync(onDisk('after.txt'))).toBe(false)
  })

  await test.step('a person who is removed is cut off', async () => {
    const people = CollaboratorList.parse(await call(page, demo, ['GET', `/api/server/${serverId}/users`]))
    const id = people.find(({ username }) => username === moderator.username)?.id
    await call(page, demo, ['DELETE', `/api/server/${serverId}/users/${id}`])
    if (again !== undefined) await ends(again)
  })

  await test.step('a new password ends the connections of the old one', async () => {
    const open = await openClient(place, owner)
    const password = `${owner.password} and more`
    await call(page, demo, [
      'POST',
      '/api/user/password',
      { currentPassword: owner.password, password, passwordConfirm: password },
    ])
    await ends(open)
    const present = await openClient(place, { ...owner, password })
    await hears(present, 'ls', /before\.txt/)
    present.end()
  })
  await context.close()
  fs.rmSync(place.folder, { recursive: true })
})
