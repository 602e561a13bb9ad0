import { request } from 'node:http'
import { text } from 'node:stream/consumers'

let sent = 0

/** 127.0.0.0/8 is one machine on Linux: the worker's number and a counter make a unique address. */
const nextAddress = (): string => {
  sent += 1
  const worker = Number(process.env['TEST_WORKER_INDEX'] ?? 0)
  return `127.${1 + (worker % 250)}.${Math.floor(sent / 250) % 250}.${1 + (sent % 250)}`
}

/**
 * Sends JSON to a site on the loopback from a unique address, so that the product's address limits count only in tests
 * of them. `url` is absolute and http. Returns status, text and the Set-Cookie headers.
 */
export const postFromOwnAddress = (
  url: string,
  data: object,
  userAgent = 'tests',
): Promise<{ status: number; text: string; cookies: readonly string[] }> =>
  new Promise((done, fail) => {
    const headers = {
      origin: new URL(url).origin,
      'accept-language': 'en',
      'user-agent': userAgent,
      'content-type': 'application/json',
    }
    const sending = request(url, { method: 'POST', headers, localAddress: nextAddress(), timeout: 90_000 })
    sending.once('error', fail)
    sending.once('timeout', () => sending.destroy(new Error(`${url} did not answer.`)))
    sending.once('response', (answer) => {
      text(answer).then(
        (body) => done({ status: answer.statusCode ?? 0, text: body, cookies: answer.headers['set-cookie'] ?? [] }),
        fail,
      )
    })
    sending.end(JSON.stringify(data))
  })
