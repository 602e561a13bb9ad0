import ssh2, { type AuthContext, type KeyboardAuthContext, type PublicKeyAuthContext } from 'ssh2'
import type { LoginThrottle } from './login-throttle.ts'
import type { LoginAnswer } from '#contracts/logins/node-login.ts'
import { splitName, type AskLogin, type LoginProof } from './login.ts'

const METHODS = ['publickey', 'password', 'keyboard-interactive'] as const
type Methods = [...typeof METHODS]
/** More tries on one connection end it. */
const MAX_TRIES = 5
const EMPTY_PASSWORD = ''

const APP_PASSWORD =
  'This account has a second factor, so its own password does not open SFTP. Create an app password or add an SSH key in the settings of your account, under "SFTP and keys".'
const TOO_MANY = 'Too many failed sign-ins. Try again in a minute.'
const NO_PERMISSION = 'You do not have permission to use SFTP on this server (file.sftp).'
const AWAY = 'Sign-ins cannot be checked at the moment. Try again in a minute.'

/** Said to clients that show texts; the refusal of a wrong password says nothing, so that it tells nothing. */
const TEXTS: Readonly<Record<Extract<LoginAnswer, { ok: false }>['why'], string | undefined>> = {
  refused: undefined,
  'app password': APP_PASSWORD,
  'no permission': NO_PERMISSION,
  'too many': TOO_MANY,
  away: AWAY,
}

/** Ed25519, and RSA with SHA-2: SHA-1 and everything older is refused (clarifications, part 5). */
const isStrong = ({ key: { algo }, hashAlgo }: PublicKeyAuthContext): boolean =>
  algo === 'ssh-ed25519' || (algo === 'ssh-rsa' && (hashAlgo === 'sha256' || hashAlgo === 'sha512'))

/** Whether the holder of the public key signed this sign-in. */
const isSigned = ({ key, signature, blob, hashAlgo }: PublicKeyAuthContext): boolean => {
  const parsed = ssh2.utils.parseKey(key.data)
  if (parsed instanceof Error || Array.isArray(parsed) || signature === undefined || blob === undefined) return false
  return parsed.verify(blob, signature, hashAlgo) === true
}

interface AuthDeps {
  readonly throttle: LoginThrottle
  readonly ask: AskLogin
  readonly address: string
  /** Called once, when somebody is who they say. */
  admit(answer: Extract<LoginAnswer, { ok: true }>): boolean
  /** Ends the connection. */
  end(): void
}

/** The sign-in of one connection. */
export class SftpAuth {
  readonly #deps: AuthDeps
  #tries = 0
  /** To say at the next chance: only one method can show a text. */
  #text: string | undefined

  constructor(deps: AuthDeps) {
    this.#deps = deps
  }

  async answer(context: AuthContext): Promise<void> {
    switch (context.method) {
      case 'password':
        return this.#decide(context, { password: context.password })
      case 'publickey':
        return this.#byKey(context)
      case 'keyboard-interactive':
        return this.#byPrompt(context)
      default:
        return this.#refuse(context)
    }
  }

  async #byKey(context: PublicKeyAuthContext): Promise<void> {
    const proof = { publicKey: context.key.data.toString('base64') }
    if (!isStrong(context)) return this.#refuse(context)
    // Whether the key is known is told to everybody who offers it, as every SSH server does.
    if (context.signature === undefined) {
      const known = await this.#ask(context, proof)
      return known.ok ? context.accept() : this.#refuse(context)
    }
    if (!isSigned(context)) return this.#failed(context)
    return this.#decide(context, proof)
  }

  async #byPrompt(context: KeyboardAuthContext): Promise<void> {
    if (this.#text === undefined) {
      const password = await new Promise<string>((resolve) => {
        context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
          resolve(Array.isArray(answers) ? (answers[0] ?? EMPTY_PASSWORD) : EMPTY_PASSWORD)
        })
        context.once('abort', () => resolve(EMPTY_PASSWORD))
      })
      const answer = await this.#ask(context, { password })
      if (answer.ok) return this.#admit(context, answer)
      this.#count(answer)
    }
    const text = this.#text
    this.#text = undefined
    // A request without a question is how this method shows a text (RFC 4256, section 3.2).
    if (text !== undefined) await new Promise<void>((resolve) => context.prompt([], '', text, () => resolve()))
    return this.#refuse(context)
  }

  async #decide(context: AuthContext, proof: LoginProof): Promise<void> {
    const answer = await this.#ask(context, proof)
    if (answer.ok) return this.#admit(context, answer)
    this.#count(answer)
    return this.#refuse(context)
  }

  #admit(context: AuthContext, answer: Extract<LoginAnswer, { ok: true }>): void {
    this.#deps.throttle.succeeded(this.#deps.address)
    if (this.#deps.admit(answer)) return context.accept()
    return this.#refuse(context)
  }

  async #ask(context: AuthContext, proof: LoginProof): Promise<LoginAnswer> {
    const { throttle, address, ask } = this.#deps
    const name = splitName(context.username)
    if (!throttle.mayTry(address)) return { ok: false, why: 'too many' }
    if (name === undefined || ('password' in proof && proof.password === EMPTY_PASSWORD)) {
      return { ok: false, why: 'refused' }
    }
    return ask({ ...name, address, proof })
  }

  #count({ why }: Extract<LoginAnswer, { ok: false }>): void {
    const { throttle, address } = this.#deps
    this.#text = TEXTS[why]
    if (why === 'refused') throttle.failed(address)
  }

  #failed(context: AuthContext): void {
    this.#deps.throttle.failed(this.#deps.address)
    this.#refuse(context)
  }

  #refuse(context: AuthContext): void {
    // The first request of every client is the method `none`, which only asks what there is.
    if (context.method !== 'none') this.#tries += 1
    context.reject([...METHODS] satisfies Methods)
    if (this.#tries >= MAX_TRIES) this.#deps.end()
  }
}
