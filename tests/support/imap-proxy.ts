import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** How a broken mail server answers the request for the bytes of a mail. */
export type Misbehaviour = 'NO' | 'BAD' | 'nothing' | 'broken literal'

const ANSWERS: Readonly<Record<Misbehaviour, (tag: string, uid: number) => string>> = {
  NO: (tag) => `${tag} NO [SERVERBUG] It cannot be read\r\n`,
  BAD: (tag) => `${tag} BAD What is that\r\n`,
  nothing: (tag) => `${tag} OK Fetched\r\n`,
  // It announces more than comes, and then there is nothing any more.
  'broken literal': (_, uid) => `* 1 FETCH (UID ${uid} BODY[] {4000}\r\nFrom: somebody`,
}

/** Stands between a reader and an IMAP server, and answers for it when the reader asks for the bytes of one mail. */
export class ImapProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  broken: { readonly uid: number; readonly how: Misbehaviour } | null = null
  /** The mails whose bytes were asked for. */
  asked: number[] = []
  /** How often the reader said something only to be heard. */
  noops = 0

  constructor(port: number) {
    this.#server = createServer((client) => this.#join(client, connect(port, '127.0.0.1')))
  }

  async open(): Promise<number> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }

  #join(client: Socket, target: Socket): void {
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        other.destroy()
        this.#sockets.delete(socket)
      })
    }
    target.pipe(client)
    client.on('data', (line) => {
      if (!this.#answers(client, line.toString('latin1'))) target.write(line)
    })
  }

  #answers(client: Socket, line: string): boolean {
    if (/^\S+ NOOP\r/i.test(line)) this.noops += 1
    const [, tag = '', number] = /^(\S+) UID FETCH (\d+) .*BODY\.PEEK\[\]/i.exec(line) ?? []
    if (number === undefined) return false
    const uid = Number(number)
    this.asked.push(uid)
    if (this.broken?.uid !== uid) return false
    const { how } = this.broken
    const answer = ANSWERS[how](tag, uid)
    if (how === 'broken literal') client.end(answer)
    else client.write(answer)
    return true
  }
}
