import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '#platform/logger.ts'
import { MailParser } from '../../control-plane/messages/inbox/mail-parser.ts'
import { waitFor } from './wait-for.ts'

/** A parser that does what its mails say (tests/fixtures/told-mail-parser.ts). */
export const toldMailParser = (): MailParser =>
  new MailParser({
    program: new URL('../fixtures/told-mail-parser.ts', import.meta.url),
    log: createLogger('test', 'silent'),
  })

/** A folder in which a parser stands still: it says that it does, and goes on when it may. */
export class StandingPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'bakter-parser-'))
  readonly words = `stand still in ${this.folder}`

  get isReached(): boolean {
    return existsSync(join(this.folder, 'began'))
  }

  async reached(): Promise<void> {
    await waitFor('the parser to stand still', () => this.isReached)
  }

  goOn(): void {
    writeFileSync(join(this.folder, 'go'), '')
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
