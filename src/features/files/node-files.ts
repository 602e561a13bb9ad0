'use client'
import type { NodeAccess, NodeTokenRequest } from '#contracts/http/server.ts'
import { BELOW_FILES } from '#contracts/panel/agent-paths.ts'
import { FileErrorBody } from '#contracts/panel/file-refusals.ts'
import { NODE_FILE_CALLS } from '#contracts/panel/node-files.ts'
import type { NodeFileCall, NodeFileInput, NodeFileOutput } from '#contracts/panel/node-files.ts'
import { nodeAddress } from '@/lib/servers/node-address.ts'
import { FileTrouble, troubleOf } from './file-trouble.ts'

/** A token is replaced before it ends, so that no call begins with one that ends on the way. */
const RENEW_BEFORE_MS = 60_000

export type FileContent = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** The bytes of the whole file. */
  readonly total: number
  /** When it was last written, by the node's clock and without fractions of a second; 0 from a node that does not say. */
  readonly mtimeMs: number
}

export type NodeFilesDeps = {
  /** The site's call for a token. */
  readonly access: (request: NodeTokenRequest) => Promise<NodeAccess>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly now: () => number
  readonly page: () => string
}

/** The trouble that a response of the node says; `AWAY` for one that is not the node's own. */
export const readTrouble = (status: number, body: unknown): FileTrouble => {
  const parsed = FileErrorBody.safeParse(body)
  if (!parsed.success) return new FileTrouble(status === 0 || status >= 500 ? 'AWAY' : 'INTERNAL')
  const { code, permission, mtimeMs } = parsed.data.error
  return new FileTrouble(code, { permission, mtimeMs })
}

/** The files of one server, as its node serves them. Everything rejects with `FileTrouble`, or with the site's own failure. */
export class NodeFiles {
  readonly #deps: NodeFilesDeps
  #access: Promise<NodeAccess> | undefined
  #endsAtMs = 0

  constructor(deps: NodeFilesDeps) {
    this.#deps = deps
  }

  async call<Call extends NodeFileCall>(
    call: Call,
    input: NodeFileInput<Call>,
    signal?: AbortSignal,
  ): Promise<NodeFileOutput<Call>> {
    const init = { method: 'POST', body: JSON.stringify(input), headers: { 'content-type': 'application/json' } }
    const response = await this.#send(BELOW_FILES.call(call), { ...init, ...(signal ? { signal } : {}) })
    const body: unknown = await response.json()
    const parsed = NODE_FILE_CALLS[call].output.safeParse(body)
    if (!parsed.success) throw new FileTrouble('INTERNAL')
    return parsed.data as NodeFileOutput<Call>
  }

  /** The bytes of a file from `from` on, at most `limit` of them. */
  async read(
    path: string,
    { from, limit }: { from: number; limit: number },
    signal?: AbortSignal,
  ): Promise<FileContent> {
    const headers = { range: `bytes=${from}-${from + limit - 1}` }
    const response = await this.#send(BELOW_FILES.content(path), { headers, ...(signal ? { signal } : {}) }).catch(
      (error: unknown) => {
        // An empty file has no range.
        if (error instanceof FileTrouble && error.code === 'NO_SUCH_RANGE' && from === 0)
          return this.#send(BELOW_FILES.content(path), {})
        throw error
      },
    )
    const bytes = new Uint8Array(await response.arrayBuffer())
    const total = Number(response.headers.get('content-range')?.split('/')[1] ?? bytes.length)
    const { headers: told } = response
    return { bytes, etag: told.get('etag') ?? '', total, mtimeMs: Date.parse(told.get('last-modified') ?? '') || 0 }
  }

  /** The bytes of an earlier version, as `history` lists them. */
  async readVersion(path: string, version: string): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#send(BELOW_FILES.version(path, version), {})
    return new Uint8Array(await response.arrayBuffer())
  }

  /** Replaces the version with this ETag; null creates the file. Returns the ETag of the new version. */
  async write(path: string, bytes: BodyInit, etag: string | null): Promise<string> {
    const headers: Record<string, string> = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
    const response = await this.#send(BELOW_FILES.content(path), { method: 'PUT', body: bytes, headers })
    const body = (await response.json()) as { etag?: unknown }
    return typeof body.etag === 'string' ? body.etag : ''
  }

  /** The address and token with which an upload writes a file. */
  async uploadTarget(path: string): Promise<{ url: string; token: string }> {
    const access = await this.#current()
    return { url: `${nodeAddress(access, this.#deps.page()).href}${BELOW_FILES.content(path)}`, token: access.token }
  }

  /** Where uploads in parts begin. */
  async uploadsAddress(): Promise<string> {
    return `${nodeAddress(await this.#current(), this.#deps.page()).href}${BELOW_FILES.uploads}`
  }

  /** The next call asks for a new token: the node has refused this one. */
  renewToken(): void {
    this.#access = undefined
  }

  /** The id by which the node knows the reader. */
  async personId(): Promise<string> {
    const [, claims = ''] = (await this.token()).split('.')
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: unknown }
    return typeof sub === 'string' ? sub : ''
  }

  /** A token for the calls about these files, for a call about another server's. */
  async token(): Promise<string> {
    return (await this.#current()).token
  }

  /** The name of the node's machine. */
  async host(): Promise<string> {
    return nodeAddress(await this.#current(), this.#deps.page()).hostname
  }

  /** The address that downloads a file or folder, once. Asks the node first, because the browser cannot show a refusal. */
  async downloadAddress(path: string): Promise<string> {
    const access = await this.#ask({ purpose: 'download', path })
    const address = nodeAddress(access, this.#deps.page())
    address.search = new URLSearchParams({ token: access.token }).toString()
    const response = await this.#fetch(address.href, { method: 'HEAD' })
    if (!response.ok) throw new FileTrouble(response.status === 404 ? 'NOT_FOUND' : 'AWAY')
    return address.href
  }

  async #send(path: string, init: RequestInit, isSecond = false): Promise<Response> {
    const access = await this.#current()
    const headers = { ...init.headers, authorization: `Bearer ${access.token}` }
    const response = await this.#fetch(`${nodeAddress(access, this.#deps.page()).href}${path}`, { ...init, headers })
    if (response.ok) return response
    const trouble = readTrouble(response.status, await response.json().catch(() => undefined))
    // The permissions of its holder changed, or the node's keys: a new token says what holds now.
    if (trouble.code !== 'INVALID_TOKEN' || isSecond) throw trouble
    this.#access = undefined
    return this.#send(path, init, true)
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#deps.fetch(url, { ...init, referrerPolicy: 'no-referrer', cache: 'no-store' })
    } catch (error) {
      if (init.signal?.aborted) throw error
      throw new FileTrouble('AWAY')
    }
  }

  /** One token for all calls until it ends; a failure is not kept. */
  async #current(): Promise<NodeAccess> {
    if (this.#access === undefined || this.#deps.now() > this.#endsAtMs - RENEW_BEFORE_MS) {
      this.#endsAtMs = Number.POSITIVE_INFINITY
      const asked = this.#ask({ purpose: 'files' })
      this.#access = asked
      asked.then(
        ({ expiresAt }) => (this.#endsAtMs = Date.parse(expiresAt)),
        () => (this.#access = undefined),
      )
    }
    return this.#access
  }

  async #ask(request: NodeTokenRequest): Promise<NodeAccess> {
    try {
      return await this.#deps.access(request)
    } catch (error) {
      throw troubleOf(error)
    }
  }
}
