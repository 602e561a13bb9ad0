import { MailFailure } from '../../mail-transport.ts'

type Facts = { code: string; command: string; status: number | undefined; permanent: boolean }

const factsOf = (error: unknown): Facts => {
  const found: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {}
  return {
    code: typeof found['code'] === 'string' ? found['code'] : 'UNKNOWN',
    command: typeof found['command'] === 'string' ? found['command'] : '',
    status: typeof found['responseCode'] === 'number' ? found['responseCode'] : undefined,
    permanent: found['permanent'] === true,
  }
}

/** No password, a wrong one, no encryption, or a server that cannot be: the operator's to mend. */
const CONFIGURATION = ['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EREQUIRETLS', 'ECONFIG']

/**
 * Words what the mail library threw. Only a refusal of this recipient or this message is for good: a refusal of the password
 * or of the sender is ours to mend, and all else may pass. The server's own sentence is left out, since it may repeat anything.
 */
export function smtpFailure(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error
  const { code, command, status, permanent } = factsOf(error)
  const words = [code, ...(status === undefined ? [] : [String(status)])].join(' ')
  const isConfiguration =
    CONFIGURATION.includes(code) || (permanent && !/^(RCPT|DATA)/.test(command) && code !== 'EMESSAGE')
  if (isConfiguration) return new MailFailure('configuration', words, { cause: error })
  return new MailFailure(permanent ? 'permanent' : 'temporary', words, { cause: error })
}
