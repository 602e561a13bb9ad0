import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { DemoFile } from '../support/demo.ts'
import type { BareAnswer } from './bare-server.ts'
import { median, type Figure, type Section } from './report.ts'

const CONNECTIONS = 20
const SECONDS = 4
const ROUNDS = 3

type Read = { readonly what: string; readonly path: string; readonly headers: Record<string, string> }

const READS: readonly (Read & { readonly isAgain?: boolean })[] = [
  { what: 'landing page, br', path: '/hu', headers: { 'accept-encoding': 'br' } },
  { what: 'landing page, uncompressed', path: '/hu', headers: {} },
  { what: 'landing page, 304', path: '/hu', headers: { 'accept-encoding': 'br' }, isAgain: true },
  { what: 'blog, br', path: '/hu/blog', headers: { 'accept-encoding': 'br' } },
  { what: 'blog, uncompressed', path: '/hu/blog', headers: {} },
  { what: 'negotiated landing page, br', path: '/', headers: { 'accept-encoding': 'br', 'accept-language': 'hu' } },
]

type Fetched = BareAnswer & { readonly status: number }

const get = async (url: string, headers: Record<string, string>): Promise<Fetched> => {
  const sent = request(url, { agent: false, headers }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
  // Node adds these headers for the bare server as well.
  const ofNode = /^(?:date|connection|keep-alive)$/i
  const pairs = answer.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 && !ofNode.test(name) ? [name, all[at + 1] ?? ''] : [],
  )
  const body = Buffer.concat(chunks).toString('base64')
  return { status: answer.statusCode ?? 0, headers: pairs, body, etag: answer.headers.etag ?? '' }
}

/** Runs `work` beside a bare `node:http` server, a process of its own that sends this answer to every request. */
async function besideBare<Result>(answer: BareAnswer, work: (url: string) => Promise<Result>): Promise<Result> {
  const bare = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  try {
    bare.send(answer)
    const [port] = (await once(bare, 'message')) as [number]
    return await work(`http://127.0.0.1:${port}`)
  } finally {
    bare.kill()
  }
}

async function perSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS })
  // The load generator counts an unchanged page among those that are no success.
  const refused = headers['if-none-match'] === undefined ? result.non2xx + result.errors : result.errors
  if (refused > 0) throw new Error(`${url}: ${refused} of ${result.requests.total} requests failed`)
  return result.requests.total / result.duration
}

async function readBesideBare(
  url: string,
  { what, path, headers, isAgain = false }: (typeof READS)[number],
): Promise<Figure> {
  const address = `${url}${path}`
  const first = await get(address, headers)
  const asked = isAgain ? { ...headers, 'if-none-match': first.etag } : headers
  const again = await get(address, asked)
  if (again.status !== (isAgain ? 304 : 200)) throw new Error(`${what}: answered with ${again.status}.`)
  return besideBare({ ...again, etag: isAgain ? first.etag : '-' }, async (bareUrl) => {
    const ours: number[] = []
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await perSecond(address, asked))
      bare.push(await perSecond(`${bareUrl}${path}`, asked))
    }
    const note = `${Buffer.from(again.body, 'base64').byteLength} bytes${what.startsWith('negotiated') ? '' : '; goal 0.5'}`
    const against = { what: 'bare node:http with the same bytes', value: median(bare) }
    return { what, value: median(ours), unit: '/s', against, note }
  })
}

/** How often a second pages are answered from memory, in turns with a bare server that sends the same bytes and headers. */
export async function benchPages(demo: DemoFile): Promise<Section> {
  const figures: Figure[] = []
  for (const read of READS) figures.push(await readBesideBare(demo.url, read))
  return {
    title: 'Pages from memory',
    method:
      `${CONNECTIONS} connections, ${SECONDS} s, median of ${ROUNDS} rounds in turns. Site, bare server and load generator are processes of ` +
      'their own and share the cores.',
    figures,
  }
}
