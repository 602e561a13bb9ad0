import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * `hold`: nothing is delivered and no side is notified, as behind a broken switch. Held data is delivered when it
 * passes again.
 */
export type Flow = 'pass' | 'hold'

interface Pair {
  readonly client: Socket
  readonly target: Socket
  port: number
}

/**
 * A TCP proxy between two programs that misbehaves on request, in each direction separately. With several targets it
 * gives each new connection to the next one, as a load balancer does.
 */
export class FaultProxy {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #targets: readonly number[]
  #next = 0
  #toTarget: Flow = 'pass'
  #toClient: Flow = 'pass'
  #refusing = false
  /** Whether new connections rotate over the targets. Otherwise each is made to the first reachable target. */
  takesTurns = true
  accepted = 0

  constructor(...targets: number[]) {
    this.#targets = targets
    this.#server = createServer((client) => this.#join(client))
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.reset()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Ports of the targets of the open connections. */
  get connected(): number[] {
    return [...this.#pairs].map(({ port }) => port)
  }

  flow(change: { toTarget?: Flow; toClient?: Flow }): void {
    this.#toTarget = change.toTarget ?? this.#toTarget
    this.#toClient = change.toClient ?? this.#toClient
    for (const pair of this.#pairs) this.#apply(pair)
  }

  /** Loud: every connection is reset on both sides. */
  reset(): void {
    for (const { client, target } of this.#pairs) {
      client.resetAndDestroy()
      target.resetAndDestroy()
    }
    this.#pairs.clear()
  }

  /** Loud and lasting: open connections are reset, and so are new ones. */
  refuse(refusing: boolean): void {
    this.#refusing = refusing
    if (refusing) this.reset()
  }

  #join(client: Socket): void {
    this.accepted += 1
    client.on('error', () => {})
    if (this.#refusing) {
      client.resetAndDestroy()
      return
    }
    if (!this.takesTurns) this.#next = 0
    this.#dial(client, this.#targets.length)
  }

  /** An unreachable target is skipped. */
  #dial(client: Socket, left: number): void {
    const port = this.#targets[this.#next % this.#targets.length] ?? 0
    this.#next += 1
    const target = connect(port, '127.0.0.1')
    target.once('error', () => {
      if (left > 1) this.#dial(client, left - 1)
      else client.resetAndDestroy()
    })
    target.once('connect', () => {
      const pair: Pair = { client, target, port }
      this.#pairs.add(pair)
      client.on('data', (bytes: Buffer) => target.write(bytes))
      target.on('data', (bytes: Buffer) => client.write(bytes))
      target.on('error', () => {})
      client.on('close', () => this.#leave(pair, this.#toTarget, target))
      target.on('close', () => this.#leave(pair, this.#toClient, client))
      this.#apply(pair)
    })
  }

  /** A held direction does not carry the end either: the other side is half open. */
  #leave(pair: Pair, flow: Flow, other: Socket): void {
    if (flow === 'pass') {
      this.#pairs.delete(pair)
      other.destroy()
    }
  }

  #apply({ client, target }: Pair): void {
    if (this.#toTarget === 'hold') client.pause()
    else client.resume()
    if (this.#toClient === 'hold') target.pause()
    else target.resume()
    if (client.destroyed && this.#toTarget === 'pass') target.destroy()
    if (target.destroyed && this.#toClient === 'pass') client.destroy()
  }
}
