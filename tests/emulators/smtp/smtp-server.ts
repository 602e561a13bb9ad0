import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** The faults of the mail server. `cut after data` accepts the mail and aborts the connection before the response. */
export type SmtpFault =
  | 'nothing'
  | 'busy'
  | 'mailbox unknown'
  | 'sender refused'
  | 'message refused'
  | 'no encryption'
  | 'password refused'
  | 'cut after data'
  | 'silent'

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: Buffer
  readonly isSecure: boolean
}

export type SmtpEmulator = {
  readonly port: number
  /** Every mail whose data arrived whole, acknowledged or not. */
  readonly received: ReceivedMail[]
  /** Commands that named a recipient. */
  readonly asked: string[]
  set(fault: SmtpFault): void
  close(): Promise<void>
}

type Account = { readonly username: string; readonly password: string }
type Options = { readonly account?: Account; readonly tls: { readonly key: string; readonly cert: string } }

const reply = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code })

type Story = { fault: SmtpFault; received: ReceivedMail[]; asked: string[]; sockets: Set<Socket> }

const collect = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const serverFor = (story: Story, { account, tls }: Options, offersTls: boolean): SMTPServer =>
  new SMTPServer({
    ...tls,
    banner: 'emulator',
    disabledCommands: [...(offersTls ? [] : ['STARTTLS' as const]), ...(account ? [] : ['AUTH' as const])],
    authOptional: account === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_session, done) => {
      if (story.fault !== 'silent') done()
    },
    onAuth: (given, _session, done) => {
      const isRight = given.username === account?.username && given.password === account?.password
      if (isRight && story.fault !== 'password refused') return done(null, { user: given.username ?? '' })
      done(reply(535, 'authentication failed'))
    },
    onMailFrom: (_address, _session, done) =>
      done(story.fault === 'sender refused' ? reply(550, 'not from here') : null),
    onRcptTo: ({ address }, _session, done) => {
      story.asked.push(address)
      if (story.fault === 'busy') return done(reply(451, 'try again later'))
      done(story.fault === 'mailbox unknown' ? reply(550, `no mailbox ${address} here`) : null)
    },
    onData: (stream, session, done) => {
      void collect(stream as AsyncIterable<Buffer>).then((raw) => {
        if (story.fault === 'message refused') return done(reply(554, 'not this one'))
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
        const to = session.envelope.rcptTo.map(({ address }) => address)
        story.received.push({ from, to, raw, isSecure: session.secure })
        if (story.fault === 'cut after data') for (const socket of story.sockets) socket.destroy()
        else done()
      })
    },
  })

/** A mail server that takes mails into memory and can be told to fail in each of the ways that mail servers do. */
export async function startSmtp(options: Options): Promise<SmtpEmulator> {
  const story: Story = { fault: 'nothing', received: [], asked: [], sockets: new Set() }
  // The response to the greeting says whether encryption is offered, so there are two servers behind one port.
  const [secure, plain] = [serverFor(story, options, true), serverFor(story, options, false)]
  for (const side of [secure, plain]) side.on('error', () => {})
  const server = createServer((socket) => {
    story.sockets.add(socket)
    socket.on('close', () => story.sockets.delete(socket))
    socket.on('error', () => {})
    const side = story.fault === 'no encryption' ? plain : secure
    side.connect(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    received: story.received,
    asked: story.asked,
    set: (fault) => {
      story.fault = fault
    },
    close: async () => {
      for (const socket of story.sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
