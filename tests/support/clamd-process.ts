import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EICAR } from './eicar.ts'
import { startOwnProcess, type OwnProcess } from './own-process.ts'
import { waitFor } from './wait-for.ts'

const CLAMD = '/usr/sbin/clamd'

/** The clamd of Debian at a socket of its own. Its only signature is that of the test text: others would have to be downloaded. */
export class ClamdProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'bakter-clamd-'))
  readonly socket = join(this.folder, 'clamd.ctl')
  #process: OwnProcess | undefined

  constructor({ largest }: { largest: number }) {
    mkdirSync(join(this.folder, 'signatures'))
    const hex = Buffer.from(EICAR).toString('hex')
    writeFileSync(join(this.folder, 'signatures/eicar.ndb'), `Eicar-Test:0:*:${hex}\n`)
    const settings = [
      'Foreground yes',
      `DatabaseDirectory ${join(this.folder, 'signatures')}`,
      `LocalSocket ${this.socket}`,
      `TemporaryDirectory ${this.folder}`,
      `StreamMaxLength ${largest}`,
    ]
    writeFileSync(join(this.folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  }

  async start(): Promise<void> {
    const clamd = startOwnProcess({ command: CLAMD, args: ['-c', join(this.folder, 'clamd.conf')] })
    this.#process = clamd
    await waitFor('clamd', () => {
      clamd.mustRun()
      return this.#answers()
    })
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
  }

  async close(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.socket, () => socket.write('zPING\0'))
      socket.once('data', () => socket.end())
      socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    })
  }
}
