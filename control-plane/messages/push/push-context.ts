import type { Context } from '../../platform/context.ts'
import type { MailFacts } from '../mail/templates/mail-words.ts'
import type { PushKey } from './push-keys.ts'
import type { PushService } from './push-service.ts'

/** The context of sending pushes. */
export type PushContext = Context & {
  readonly push: {
    readonly service: PushService
    readonly key: PushKey
    /** Our contact address for push services (RFC 8292 section 2.1). */
    readonly contact: () => Promise<string>
    readonly facts: () => Promise<MailFacts>
  }
}
