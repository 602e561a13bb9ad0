import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderTransport } from '../../../control-plane/messages/mail/transports/folder/folder-transport.ts'
import { parseSettings } from '../../../src/lib/site/env.ts'
import { createDemoMails } from '../../../src/server/demo-mails.ts'
import { outgoingMail } from '../../suites/mail-transport.suite.ts'
import { listenWithPage } from '../../support/page-listener.ts'

const folder = mkdtempSync(join(tmpdir(), 'bakter-demo-mails-'))
const LINK = 'http://127.0.0.1:3000/auth/passwordreset?token=abc'
const mail = outgoingMail({
  subject: '<script>alert(1)</script> & "code"',
  text: `Árvíztűrő\n${LINK}\n<b>no markup</b>`,
  html: '<p>Árvíztűrő</p><script>alert(1)</script><form action="http://evil.example"></form>',
})
const servers: Server[] = []

const listenerWith = async (mails?: ReturnType<typeof createDemoMails>) => {
  const page = { status: 404, html: '<!DOCTYPE html><p>This page could not be found</p>' }
  const { server, url } = await listenWithPage(page, mails ? { mails } : {})
  servers.push(server)
  return async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, { redirect: 'manual', ...init })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
}

let ask: Awaited<ReturnType<typeof listenerWith>>
beforeAll(async () => {
  await folderTransport(folder).send(mail)
  ask = await listenerWith(createDemoMails(folder))
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the mailbox of the demo', () => {
  test.each([
    ['en', 'Demo e-mails'],
    ['hu', 'A demó levelei'],
    ['de', 'E-Mails der Demo'],
  ])("lists mails with subject and recipient, in the reader's language: %s", async (language, title) => {
    const list = await ask('/dev/mail', { headers: { 'accept-language': language } })
    expect(list.status).toBe(200)
    expect(list.text).toContain(title)
    expect(list.text).toContain('anna@example.com')
    expect(list.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;code&quot;')
    expect(list.text).not.toContain('<script')
  })

  test('shows a mail in a sandboxed frame, and its text with links', async () => {
    const shown = await ask(`/dev/mail/${mail.id}`)
    expect(shown.text).toContain(`<iframe sandbox src="/dev/mail/${mail.id}/html"`)
    expect(shown.text).toContain(`<a href="${LINK}" rel="noreferrer">`)
    expect(shown.text).toContain('&lt;b&gt;no markup&lt;/b&gt;')
    expect(shown.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'/,
    )
    const inside = await ask(`/dev/mail/${mail.id}/html`)
    expect(inside.text).toContain('Árvíztűrő')
    const policy = inside.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^sandbox; default-src 'none'/)
    expect(policy).not.toMatch(/script-src|allow-/)
  })

  test('is cached by nobody and reveals its links to no other page', async () => {
    for (const path of ['/dev/mail', `/dev/mail/${mail.id}`, `/dev/mail/${mail.id}/html`]) {
      const { headers } = await ask(path)
      expect(headers.get('cache-control')).toBe('private, no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test.each([
    '/dev/mail/..%2f..%2fsecrets',
    '/dev/mail/%2e%2e/secrets.json',
    `/dev/mail/${'0'.repeat(36)}`,
    '/dev/mail/x/html',
  ])('has no mail at %s', async (path) => {
    writeFileSync(join(folder, 'secrets.json'), 'secret')
    const answer = await ask(path)
    expect(answer.status).toBe(404)
    expect(answer.text).not.toContain('secret')
  })

  test('only reads', async () => {
    expect((await ask('/dev/mail', { method: 'POST' })).status).toBe(405)
  })

  test('is empty for a folder that nobody has created', async () => {
    const empty = await listenerWith(createDemoMails(join(folder, 'missing')))
    expect(await empty('/dev/mail', { headers: { 'accept-language': 'en' } })).toMatchObject({
      status: 200,
      text: expect.stringContaining('No e-mails yet.'),
    })
  })
})

describe('production', () => {
  const key = `1:${Buffer.alloc(32, 7).toString('base64')}`
  const environment = {
    BAKTER_MODE: 'production',
    DATABASE_URL: 'postgres://localhost/db',
    SITE_URL: 'https://host.example',
    INTERNAL_SECRET: 'a long enough internal value',
    PAYLOAD_SECRET: 'a long enough sealing value',
    SECRETS_KEY: key,
    CONTROL_PLANE_URL: 'http://127.0.0.1:4001',
    GATEWAY_URL: 'ws://127.0.0.1:4000',
    MAIL_FOLDER: folder,
  }

  test('has no such mailbox, whatever its environment names', async () => {
    expect(parseSettings(environment).mailFolder).toBeUndefined()
    expect(parseSettings({ ...environment, BAKTER_MODE: 'demo' }).mailFolder).toBe(folder)
    const site = await listenerWith()
    for (const path of ['/dev/mail', `/dev/mail/${mail.id}`]) {
      const answer = await site(path)
      expect(answer.status).toBe(404)
      expect(answer.text).not.toContain('anna@example.com')
    }
  })
})

test.each(['/hu/auth/passwordreset?token=abc', '/auth/email?undo=abc', '/auth/passwordreset'])(
  '%s reveals its token to no other page (case 23)',
  async (path) => {
    expect((await ask(path)).headers.get('referrer-policy')).toBe('no-referrer')
    expect((await ask('/en/auth/login')).headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  },
)
