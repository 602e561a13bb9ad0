import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { builtPanelPages } from '#contracts/features.ts'
import { markOf } from './answer-headers.ts'
import { rulesFor } from './answer-rules.ts'
import type { RuleSettings } from './answer-rules.ts'
import { chooseEncoding } from './compression.ts'
import { detachedExchange } from './detached-exchange.ts'
import { hasUnchanged } from './kept-page.ts'
import type { FinishedPage, KeptPage } from './kept-page.ts'
import { createOutgoingCaches, takeOver } from './outgoing.ts'
import type { OutgoingCaches } from './outgoing.ts'
import type { PageMemory } from './page-memory.ts'
import type { Routing } from './page-routing.ts'

type Page = Routing & { readonly kind: 'page' }
export type PageRequest = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly routing: Page
  readonly requestId: string
}

type Deps = RuleSettings & {
  readonly memory: PageMemory
  /** Paths of the pages that the build has prerendered, with their language prefix: no other page is kept. */
  readonly prerendered: ReadonlySet<string>
  readonly next: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly siteUrl: string
  readonly onMade: (from: 'memory' | 'next') => void
  readonly caches?: OutgoingCaches
}

/** After this time a request stops waiting for a shared rendering and goes to Next by itself. */
const RENDER_MS = 30_000

// The panels of all servers share one page (next.config.ts).
const PANEL = new RegExp(`^(/[a-z]{2}/panel)/[^/]+/(?:${builtPanelPages.join('|')}|edit/.+)$`)

// Next marks previews of drafts by these cookies.
const PREVIEW = /(?:^|;\s*)__(?:prerender_bypass|next_preview_data)=/

// Data for Next's router varies by these headers, so it is left to Next.
const isForRouter = (headers: IncomingHttpHeaders): boolean => {
  if (headers['rsc'] !== undefined) return true
  for (const name in headers) if (name.startsWith('next-')) return true
  return false
}

/** The path under which the page is kept, or null if the response to this request must not be kept. */
export const keptPath = (
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { target }: Page,
  prerendered: ReadonlySet<string>,
): string | null => {
  if ((method !== 'GET' && method !== 'HEAD') || target.includes('?')) return null
  const path = PANEL.exec(target)?.[1] ?? target
  if (!prerendered.has(path) || isForRouter(headers)) return null
  return headers.cookie !== undefined && PREVIEW.test(headers.cookie) ? null : path
}

const write = ({ request, response, requestId }: PageRequest, page: KeptPage): void => {
  const isUnchanged = hasUnchanged(page, request.headers['if-none-match'])
  const headers = [...(isUnchanged ? page.unchangedHeaders : page.headers), 'X-Request-Id', requestId]
  response.writeHead(isUnchanged ? 304 : 200, headers)
  response.end(isUnchanged || request.method === 'HEAD' ? undefined : page.body)
}

const within = async <Value>(made: Promise<Value>, ms: number): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error('A page was not made in time.')), ms)
  })
  return Promise.race([made, late]).finally(() => clearTimeout(timer))
}

type Asked = { readonly path: string; readonly encoding: string | null; readonly routing: Page }

/** Serves pages from memory. Returns, or resolves with, false if Next has to serve the page. */
export const createPageDoor = (deps: Deps) => {
  const { memory, prerendered, siteUrl } = deps
  const caches = deps.caches ?? createOutgoingCaches()
  const { host, protocol } = new URL(siteUrl)
  // A kept page is rendered for nobody: Next gets these headers and nothing of the visitor.
  const headers = { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) }

  const render = async ({ path, encoding, routing }: Asked): Promise<FinishedPage> => {
    deps.onMade('next')
    const { request, response, body, close } = detachedExchange(path, headers)
    const asked = { headers: encoding === null ? {} : { 'accept-encoding': encoding }, url: path } as IncomingMessage
    const answered = { request: asked, routing: { ...routing, target: path }, requestId: 'kept' }
    const rules = rulesFor(answered, deps, caches)
    const mark = markOf(deps)
    let cacheControl = ''
    const finish = (leaving: ServerResponse) => {
      cacheControl = String(leaving.getHeader('cache-control') ?? '')
      rules.finish(leaving)
    }
    takeOver(response, { ...rules, isKept: true, finish }, false)
    try {
      const rendered = deps.next(request, response).then(() => body)
      const whole = await within(rendered, RENDER_MS)
      return { status: response.statusCode, headers: response.getHeaders(), body: whole, cacheControl, mark }
    } finally {
      close()
    }
  }

  const makeAndWrite = async (exchange: PageRequest, key: string, asked: Asked): Promise<boolean> => {
    const page = await memory.make(key, () => render(asked)).catch(() => null)
    if (page === null) return false
    if (!exchange.response.destroyed) write(exchange, page)
    return true
  }

  return (exchange: PageRequest): boolean | Promise<boolean> => {
    const { request, routing } = exchange
    const path = keptPath(request, routing, prerendered)
    if (path === null) return false
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const key = `${encoding ?? 'plain'} ${routing.isPublic ? 'shared' : 'own'} ${path}`
    const kept = memory.find(key)
    if (kept === undefined) return makeAndWrite(exchange, key, { path, encoding, routing })
    deps.onMade('memory')
    write(exchange, kept)
    return true
  }
}

export type PageDoor = ReturnType<typeof createPageDoor>
