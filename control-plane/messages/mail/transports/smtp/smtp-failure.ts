import { refusedAddress } from '#domain/mail/refused-address.ts'
import { MailFailure } from '../../mail-transport.ts'

type Facts = { code: string; command: string; status: number | undefined; permanent: boolean; answer: string }

const factsOf = (error: unknown): Facts => {
  const found: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {}
  return {
    code: typeof found['code'] === 'string' ? found['code'] : 'UNKNOWN',
    command: typeof found['command'] === 'string' ? found['command'] : '',
    status: typeof found['responseCode'] === 'number' ? found['responseCode'] : undefined,
    permanent: found['permanent'] === true,
    answer: typeof found['response'] === 'string' ? found['response'] : '',
  }
}

/** A missing or wrong password, no encryption, or an impossible server: the operator has to fix it. */
const CONFIGURATION = ['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EREQUIRETLS', 'ECONFIG']

/**
 * Classifies an error of the mail library. Only a refusal of this recipient or this message is permanent: a refused
 * password or sender is ours to fix, and anything else may be temporary. The server's own text is dropped, since it may
 * contain anything.
 */
export function smtpFailure(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error
  const { code, command, status, permanent, answer } = factsOf(error)
  const words = [code, ...(status === undefined ? [] : [String(status)])].join(' ')
  const isConfiguration =
    CONFIGURATION.includes(code) || (permanent && !/^(RCPT|DATA)/.test(command) && code !== 'EMESSAGE')
  if (isConfiguration) return new MailFailure('configuration', words, { cause: error })
  const noAddress = permanent && command.startsWith('RCPT') ? refusedAddress(answer) : undefined
  return new MailFailure(permanent ? 'permanent' : 'temporary', words, { cause: error, noAddress })
}
