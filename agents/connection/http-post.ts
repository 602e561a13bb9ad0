import http from 'node:http'
import https from 'node:https'

export type PostAnswer = { readonly status: number; readonly text: string }
/** Posts JSON. Rejects without a response in time. */
export type PostJson = (url: string, body: object) => Promise<PostAnswer>

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 64 * 1_024

/**
 * Posts JSON once, on a separate connection. Not by `fetch`: its client takes 8 MiB for the agent's lifetime, and this
 * call is made once in the life of a node.
 */
export const postJson: PostJson = (url, body) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const take = (response: http.IncomingMessage): void => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > MAX_ANSWER_BYTES) response.destroy(new Error('the answer is too long'))
        else parts.push(part)
      })
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
      )
    }
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
    const options = { method: 'POST', headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }
    const request = url.startsWith('https:') ? https.request(url, options, take) : http.request(url, options, take)
    request.once('error', reject)
    request.end(text)
  })
