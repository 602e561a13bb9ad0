import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite, type OpenSite } from '../../support/site-routes.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const PDF = Buffer.from('%PDF-1.3 the paper of an invoice')

/** The calls to the control plane, and its answers: documents of the caller alone. */
const asked: { name: string; input: { invoiceId?: string; caller?: { userId: string } } }[] = []
const ANSWERS: Readonly<Record<string, object>> = {
  'invoice-file': { fileName: 'SZ-2026-000001.pdf', pdf: PDF.toString('base64') },
  'invoices-csv': { csv: '\uFEFFSorszám\r\nSZ-2026-000001\r\n' },
  invoices: { items: [], next: null },
}

let controlPlane: Server
let site: OpenSite
let headers: Record<string, string>
beforeAll(async () => {
  controlPlane = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const name = request.url?.split('/').at(-1) ?? ''
      const input = JSON.parse(text) as (typeof asked)[number]['input']
      asked.push({ name, input })
      const isForeign = input.invoiceId !== undefined && input.invoiceId !== ID
      response.writeHead(isForeign ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isForeign ? { error: { code: 'NOT_FOUND' } } : (ANSWERS[name] ?? {})))
    })
  })
  controlPlane.listen(0, '127.0.0.1')
  await once(controlPlane, 'listening')
  site = await openSite(`http://127.0.0.1:${(controlPlane.address() as AddressInfo).port}`)
  const person = { username: 'anna', email: 'anna@example.test', password: PASSWORD, passwordConfirm: PASSWORD }
  await site.ask('POST /api/auth/register', { body: { ...person, acceptTerms: true } })
  const login = await site.ask('POST /api/auth/login', { body: { username: 'anna', password: PASSWORD } })
  headers = { authorization: `Bearer ${TokenAnswer.parse(login.json).access_token}` }
})
afterAll(async () => {
  await site.close()
  controlPlane.close()
})

test('an invoice is a file named by its number, which no cache stores and no page renders', async () => {
  const { status, bytes, headers: sent } = await site.ask('GET /api/balance/invoices/{id}/pdf', { headers, id: ID })
  expect([status, bytes.equals(PDF)]).toEqual([200, true])
  expect(Object.fromEntries(sent)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="SZ-2026-000001.pdf"',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox') as string,
  })
  expect(asked.at(-1)).toMatchObject({ name: 'invoice-file', input: { invoiceId: ID } })
})

test('another person’s invoice and an invalid id do not exist', async () => {
  for (const id of ['01890000-0000-7000-8000-000000000002', 'csv', '../../transactions']) {
    const { status, json } = await site.ask('GET /api/balance/invoices/{id}/pdf', { headers, id })
    expect([status, json]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }])
  }
})

test('all invoices are a table in UTF-8 with a byte order mark', async () => {
  const { status, bytes, headers: sent } = await site.ask('GET /api/balance/invoices/csv', { headers })
  expect([status, sent.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(sent.get('content-disposition')).toBe('attachment; filename="invoices.csv"')
  expect(bytes.toString('utf8')).toBe('\uFEFFSorszám\r\nSZ-2026-000001\r\n')
})

test('the site requests the page that the reader asked for', async () => {
  const { status } = await site.ask('GET /api/balance/invoices', { headers, search: `?limit=5&before=${ID}` })
  expect(status).toBe(200)
  expect(asked.at(-1)).toMatchObject({ name: 'invoices', input: { limit: 5, before: ID } })
  expect((await site.ask('GET /api/balance/invoices', { headers, search: '?limit=0' })).status).toBe(400)
})
