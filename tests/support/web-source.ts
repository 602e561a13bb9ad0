import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { listen } from '#platform/listen.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server of the web on an address of this machine, which counts who connects. */
export class WebSource {
  readonly requests: IncomingMessage[] = []
  connections = 0
  answer: Answer = (_request, response) => void response.writeHead(404).end()
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push(request)
      this.answer(request, response)
    })
    this.#server.on('connection', () => (this.connections += 1))
  }

  static async open(host: string): Promise<WebSource> {
    const source = new WebSource()
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
