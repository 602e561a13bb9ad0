import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { listen } from '#platform/listen.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A server of the web on an address of this machine, which counts who connects. */
export class WebSource {
  readonly requests: IncomingMessage[] = []
  connections = 0
  answer: Answer = (_request, response) => void response.writeHead(404).end()
  readonly #server: Server

  private constructor(tls: Certificate | undefined) {
    const answer: Answer = (request, response) => {
      this.requests.push(request)
      this.answer(request, response)
    }
    this.#server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer)
    this.#server.on('connection', () => (this.connections += 1))
  }

  /** With a certificate the source speaks HTTPS. */
  static async open(host: string, tls?: Certificate): Promise<WebSource> {
    const source = new WebSource(tls)
    await listen(source.#server, { port: 0, host })
    return source
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Answers with this content, whatever the address. */
  send(content: Buffer | string, headers: Record<string, string> = {}): void {
    this.answer = (_request, response) => void response.writeHead(200, headers).end(content)
  }

  redirect(to: string | ((url: string) => string)): void {
    this.answer = ({ url = '' }, response) => {
      response.writeHead(302, { location: typeof to === 'string' ? to : to(url) }).end()
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
