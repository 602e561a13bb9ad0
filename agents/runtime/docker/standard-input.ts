import type { Duplex } from 'node:stream'
import type { FaultPoint } from '../../platform/fault-point.ts'
import type { DockerEngine } from './engine.ts'

/** Commands to one container's standard input, in order. */
export class StandardInput {
  readonly #engine: DockerEngine
  readonly #containerId: string
  readonly #faults: FaultPoint
  readonly #life = new AbortController()
  #stream: Duplex | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(engine: DockerEngine, containerId: string, faults: FaultPoint) {
    this.#engine = engine
    this.#containerId = containerId
    this.#faults = faults
  }

  /** False when the container does not run or the engine does not accept the line. */
  writeLine(line: string): Promise<boolean> {
    const mine = this.#last.then(() => this.#write(`${line}\n`))
    // A failed line concerns only its own caller.
    this.#last = mine.catch(() => {})
    return mine
  }

  /** Ends the connection; the program's standard input stays open. */
  close(): void {
    this.#life.abort()
    this.#stream?.destroy()
    this.#stream = undefined
  }

  async #write(text: string): Promise<boolean> {
    const stream = this.#stream ?? (await this.#attach())
    if (stream === undefined) return false
    return new Promise((resolve) => {
      const closed = (): void => resolve(false)
      stream.once('close', closed)
      stream.write(text, (error) => {
        stream.off('close', closed)
        resolve(error === null || error === undefined)
      })
    })
  }

  async #attach(): Promise<Duplex | undefined> {
    await this.#faults('docker.attaching')
    const attached = await this.#engine.open(
      'take a line for a container',
      async (docker) =>
        (await docker
          .getContainer(this.#containerId)
          .attach({ stream: true, stdin: true, stdout: false, stderr: false, hijack: true })) as unknown as Duplex,
      this.#life.signal,
    )
    await this.#faults('docker.attached')
    if (!attached.ok) return undefined
    const stream = attached.value
    this.#stream = stream
    const gone = (): void => {
      if (this.#stream === stream) this.#stream = undefined
    }
    stream.on('error', gone)
    stream.on('close', gone)
    stream.on('end', gone)
    stream.resume()
    return stream
  }
}
