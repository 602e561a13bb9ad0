import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { sha256, type RegistryImage } from './test-image.ts'

/**
 * The fault of a response: a status, a connection aborted halfway, bytes that do not match the digest, a pause of some
 * seconds, or a response that stalls after its first bytes.
 */
export type RegistryFault = 401 | 403 | 404 | 429 | 500 | 'cut' | 'other-bytes' | 'slow' | 'stuck'
export type RegistryRoute = 'manifest' | 'blob' | 'token'

const CODES = {
  401: 'UNAUTHORIZED',
  403: 'DENIED',
  404: 'MANIFEST_UNKNOWN',
  429: 'TOOMANYREQUESTS',
  500: 'UNKNOWN',
} as const
const SLOW_MS = 1_500
const CUT_AFTER_MS = 100
const TOKEN = 'token-of-the-service'

/** How the registry authenticates: by name and password, or with a token that its service issues for them. */
export interface RegistryLock {
  readonly scheme: 'Basic' | 'Bearer'
  readonly username: string
  readonly password: string
  /** The address of the token service; absent: at the registry itself. */
  readonly tokensAt?: string
}

const basicOf = ({ username, password }: RegistryLock): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

interface Planned {
  readonly route: RegistryRoute
  readonly fault: RegistryFault
  times: number
}

/** A registry that implements the part of the Docker Registry HTTP API v2 that a pull needs, and fails on request. */
export interface TestRegistry {
  /** Such as `198.18.4.1:40123`: the host in an image's name. */
  readonly host: string
  /** Routes in the order of their requests, such as `manifest sha256:…`. */
  readonly requests: string[]
  /** The authorization header of each request, empty where there was none. */
  readonly authorizations: string[]
  /** Requires a login from now on; undefined removes the requirement. */
  lock(lock: RegistryLock | undefined): void
  /** Serves the image as `name`, by its digest and by the tag `latest`. Returns `host/name@digest`. */
  add(name: string, image: RegistryImage): string
  /** The next `times` responses of the route fail; without `times` all do. */
  fail(route: Planned['route'], fault: RegistryFault, times?: number): void
  heal(): void
  close(): Promise<void>
}

export async function startTestRegistry(address: string): Promise<TestRegistry> {
  const manifests = new Map<string, Buffer>()
  const blobs = new Map<string, Buffer>()
  const requests: string[] = []
  const authorizations: string[] = []
  let lock: RegistryLock | undefined
  let planned: Planned[] = []

  const faultFor = (route: Planned['route']): RegistryFault | undefined => {
    const plan = planned.find((each) => each.route === route && each.times > 0)
    if (plan) plan.times -= 1
    return plan?.fault
  }

  /** The content of a byte range: the engine continues an interrupted download. */
  const restOf = (content: Buffer, range: string | undefined, response: ServerResponse): Buffer => {
    const [, from] = /^bytes=(\d+)-/.exec(range ?? '') ?? []
    if (from === undefined) return content
    response.statusCode = 206
    response.setHeader('content-range', `bytes ${from}-${content.length - 1}/${content.length}`)
    return content.subarray(Number(from))
  }

  const send = (response: ServerResponse, content: Buffer, fault: RegistryFault | undefined): void => {
    if (typeof fault === 'number') {
      response.writeHead(fault, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ errors: [{ code: CODES[fault], message: sayFault(fault) }] }))
      return
    }
    response.setHeader('content-length', content.length)
    response.setHeader('docker-content-digest', sha256(content))
    if (fault === 'other-bytes') response.end(Buffer.from(content).fill('x', content.length - 100))
    else if (fault === 'slow') setTimeout(() => response.end(content), SLOW_MS)
    else if (fault === undefined) response.end(content)
    else {
      // Half of the content is sent before the cut, with time to read it: without any byte the engine restarts instead
      // of continuing.
      const cut = () => void (fault === 'cut' && setTimeout(() => response.destroy(), CUT_AFTER_MS))
      response.write(content.subarray(0, content.length >> 1), cut)
    }
  }

  /** Like some registries, it repeats the credentials sent to it: nobody may show them. */
  const sayFault = (fault: number): string => `the test asked for ${fault} (${authorizations.at(-1) ?? ''})`

  const giveToken = (response: ServerResponse, sent: string): void => {
    requests.push('token')
    const fault = faultFor('token')
    if (fault !== undefined || lock === undefined) return send(response, Buffer.alloc(0), fault ?? 404)
    if (sent !== basicOf(lock)) return send(response, Buffer.alloc(0), 401)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ token: TOKEN, expires_in: 300 }))
  }

  /** Sends the response itself when the request is not authorized. */
  const letsIn = (response: ServerResponse, sent: string): boolean => {
    if (lock === undefined) return true
    if (sent === (lock.scheme === 'Basic' ? basicOf(lock) : `Bearer ${TOKEN}`)) return true
    const service = `Bearer realm="${lock.tokensAt ?? `http://${host}`}/token",service="test"`
    response.setHeader('www-authenticate', lock.scheme === 'Basic' ? 'Basic realm="test"' : service)
    send(response, Buffer.alloc(0), 401)
    return false
  }

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const sent = request.headers.authorization ?? ''
    authorizations.push(sent)
    if (path === '/token') return giveToken(response, sent)
    if (!letsIn(response, sent)) return undefined
    response.setHeader('docker-distribution-api-version', 'registry/2.0')
    if (path === '/v2/') return void response.end('{}')
    const [, name, kind, id] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(path) ?? []
    const content = kind === 'blobs' ? blobs.get(id ?? '') : manifests.get(`${name}@${id}`)
    requests.push(`${kind === 'blobs' ? 'blob' : 'manifest'} ${id}`)
    if (content === undefined) return send(response, Buffer.alloc(0), 404)
    const type = kind === 'blobs' ? 'application/octet-stream' : 'application/vnd.docker.distribution.manifest.v2+json'
    response.setHeader('content-type', type)
    if (request.method === 'HEAD') return void response.setHeader('content-length', content.length).end()
    const fault = faultFor(kind === 'blobs' ? 'blob' : 'manifest')
    return send(response, restOf(content, request.headers.range, response), fault)
  }

  const server = createServer(answer)
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, address, done))
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('A TCP server without a port.')
  const host = `${address}:${bound.port}`
  return {
    host,
    requests,
    authorizations,
    lock: (wanted) => {
      lock = wanted
    },
    add: (name, image) => {
      manifests.set(`${name}@${image.digest}`, image.manifest)
      manifests.set(`${name}@latest`, image.manifest)
      for (const [digest, blob] of image.blobs) blobs.set(digest, blob)
      return `${host}/${name}@${image.digest}`
    },
    fail: (route, fault, times = Number.POSITIVE_INFINITY) => void planned.push({ route, fault, times }),
    heal: () => {
      planned = []
      lock = undefined
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
