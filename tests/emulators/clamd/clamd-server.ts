import { createServer, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import { EICAR } from '../../support/eicar.ts'

/** The scanner's behaviour towards its caller. Behind a whole answer of a fault the connection stays open. */
export type ClamdFault =
  'nothing' | 'silent' | 'closes at once' | 'dies in the middle' | 'dies in its answer' | { readonly answers: string }

export type ClamdEmulator = {
  readonly port: number
  /** Connections that are open. */
  readonly open: () => number
  /** The most files that it ever had at the same time, between their last byte and its answer. */
  readonly mostAtOnce: () => number
  /** How many files it got whole. */
  readonly scanned: () => number
  set(fault: ClamdFault): void
  /** From now on files wait for their answers until `release`. */
  hold(): void
  release(): void
  close(): Promise<void>
}

const MARK = Buffer.from('zINSTREAM\0')
const isZip = (bytes: Buffer): boolean => bytes.readUInt32BE(0) === 0x50_4b_03_04

const bytesOf = (archive: ZipFile, entry: Entry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => {
      if (error) reject(error)
      else buffer(stream).then(resolve, reject)
    })
  })

const filesOf = (zip: Buffer): Promise<Buffer[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: true }, (error, archive) => {
      if (error) return reject(error)
      const files: Promise<Buffer>[] = []
      archive.on('entry', (entry: Entry) => {
        files.push(bytesOf(archive, entry))
        archive.readEntry()
      })
      archive.once('end', () => resolve(Promise.all(files)))
      archive.readEntry()
    })
  })

/** As the real one, it looks into archives. */
const isInfected = async (bytes: Buffer): Promise<boolean> => {
  if (bytes.includes(EICAR)) return true
  if (bytes.length < 4 || !isZip(bytes)) return false
  for (const file of await filesOf(bytes).catch(() => [])) if (await isInfected(file)) return true
  return false
}

/** The file within what arrived; null before its end. */
const fileIn = (arrived: Buffer): Buffer | null => {
  const chunks: Buffer[] = []
  let at = MARK.length
  for (;;) {
    if (at + 4 > arrived.length) return null
    const length = arrived.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(arrived.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
}

type Story = { fault: ClamdFault; held: (() => void)[] | null; scanned: number; atOnce: number; mostAtOnce: number }

const answerTo = async (socket: Socket, file: Buffer, story: Story): Promise<void> => {
  const { fault } = story
  story.scanned += 1
  story.atOnce += 1
  story.mostAtOnce = Math.max(story.mostAtOnce, story.atOnce)
  if (story.held !== null) await new Promise<void>((resolve) => story.held?.push(resolve))
  const isFound = await isInfected(file)
  story.atOnce -= 1
  if (fault === 'dies in its answer') return void socket.end('stream: O')
  if (typeof fault === 'object') return void socket[fault.answers.endsWith('\0') ? 'write' : 'end'](fault.answers)
  socket.end(`stream: ${isFound ? 'Eicar-Test FOUND' : 'OK'}\0`)
}

const serve = (socket: Socket, story: Story, largest: number): void => {
  if (story.fault === 'closes at once') return void socket.destroy()
  let arrived = Buffer.alloc(0)
  let isAnswered = false
  socket.on('data', (bytes: Buffer) => {
    if (isAnswered) return
    arrived = Buffer.concat([arrived, bytes])
    if (story.fault === 'dies in the middle') return void socket.destroy()
    if (arrived.length > MARK.length + largest + 8) {
      isAnswered = true
      return void socket.end('INSTREAM size limit exceeded. ERROR\0')
    }
    const file = story.fault === 'silent' ? null : fileIn(arrived)
    if (file === null) return
    isAnswered = true
    void answerTo(socket, file, story)
  })
  socket.on('error', () => {})
}

/** A clamd that knows INSTREAM and the test text, and can be told to fail in each of the ways that scanners do. */
export async function startClamd({ largest = Infinity, port = 0 } = {}): Promise<ClamdEmulator> {
  const story: Story = { fault: 'nothing', held: null, scanned: 0, atOnce: 0, mostAtOnce: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serve(socket, story, largest)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const release = () => {
    for (const resolve of story.held ?? []) resolve()
    story.held = null
  }
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    mostAtOnce: () => story.mostAtOnce,
    scanned: () => story.scanned,
    set: (fault) => (story.fault = fault),
    hold: () => (story.held = []),
    release,
    close: () => {
      release()
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
