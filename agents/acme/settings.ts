import { isIP } from 'node:net'

/** The ACME variables of the environment, unparsed; an empty one is undefined. */
export interface AcmeVariables {
  readonly AGENT_ACME_DIRECTORY?: string | undefined
  readonly AGENT_ACME_TERMS?: string | undefined
  readonly AGENT_ACME_EMAIL?: string | undefined
  readonly AGENT_ACME_EAB_KID?: string | undefined
  readonly AGENT_ACME_EAB_HMAC?: string | undefined
  readonly AGENT_ACME_HTTP_PORT: number
  readonly AGENT_TLS_NAME?: string | undefined
  readonly AGENT_TLS_CERT?: string | undefined
  readonly AGENT_TLS_KEY?: string | undefined
  readonly AGENT_PORT: number
  readonly AGENT_HEALTH_PORT: number
}

export interface AcmeSettings {
  /** Address of the authority's directory: https, or http on this machine. */
  readonly directory: string
  /** The certificate's name, in lower case. */
  readonly name: string
  readonly email: string | undefined
  /** The port of the http-01 challenge. The authority always connects to port 80. */
  readonly httpPort: number
  /** External account binding: an id, and a key in base64url. */
  readonly externalAccount: { readonly keyId: string; readonly hmacKey: string } | undefined
}

const MEANINGLESS_ALONE = [
  'AGENT_ACME_TERMS',
  'AGENT_ACME_EMAIL',
  'AGENT_ACME_EAB_KID',
  'AGENT_ACME_EAB_HMAC',
  'AGENT_TLS_NAME',
] as const
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const EMAIL = /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/

/** Whether a URL names this machine, so that requests to it stay local. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

const directoryOf = (text: string): string => {
  const wrong = 'The setting AGENT_ACME_DIRECTORY is wrong:'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    throw new Error(`${wrong} it must be the https address of an authority's directory.`)
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new Error(`${wrong} it may hold no user, password or fragment.`)
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new Error(`${wrong} plain http is only for an authority on this machine; use https.`)
  }
  return url.href
}

const nameOf = (text: string | undefined): string => {
  if (text === undefined) {
    throw new Error('AGENT_ACME_DIRECTORY needs AGENT_TLS_NAME: the name at which browsers reach this node.')
  }
  const wrong = 'The setting AGENT_TLS_NAME is wrong:'
  const name = text.toLowerCase()
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) {
    throw new Error(`${wrong} it is an address; an authority certifies names. Give this node a name.`)
  }
  const labels = name.split('.')
  const isName = name.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  if (!isName) {
    throw new Error(`${wrong} it must be one plain host name such as node1.example.com, without port or wildcard.`)
  }
  return name
}

const externalAccountOf = ({ AGENT_ACME_EAB_KID: keyId, AGENT_ACME_EAB_HMAC: hmacKey }: AcmeVariables) => {
  if (keyId === undefined && hmacKey === undefined) return undefined
  if (keyId === undefined || hmacKey === undefined) {
    throw new Error('AGENT_ACME_EAB_KID and AGENT_ACME_EAB_HMAC belong together: set both or none.')
  }
  if (!BASE64URL.test(hmacKey)) throw new Error('The setting AGENT_ACME_EAB_HMAC is wrong: it must be base64url.')
  return { keyId, hmacKey }
}

const refuseContradictions = (variables: AcmeVariables): void => {
  if (variables.AGENT_TLS_CERT !== undefined || variables.AGENT_TLS_KEY !== undefined) {
    throw new Error(
      'AGENT_TLS_CERT and AGENT_ACME_DIRECTORY exclude one another: take the certificate from one of them.',
    )
  }
  if (variables.AGENT_ACME_TERMS !== 'accepted') {
    throw new Error("AGENT_ACME_DIRECTORY needs AGENT_ACME_TERMS=accepted: you agree to the authority's terms by it.")
  }
  const port = variables.AGENT_ACME_HTTP_PORT
  if (port === variables.AGENT_PORT || port === variables.AGENT_HEALTH_PORT) {
    throw new Error(`AGENT_ACME_HTTP_PORT is ${port}, which this agent listens at for another purpose: use another.`)
  }
}

/** The ACME settings; undefined without any. Throws one sentence that names the fault. */
export const acmeSettingsOf = (variables: AcmeVariables): AcmeSettings | undefined => {
  const { AGENT_ACME_DIRECTORY: directory, AGENT_ACME_EMAIL: email } = variables
  if (directory === undefined) {
    const lonely = MEANINGLESS_ALONE.find((name) => variables[name] !== undefined)
    if (lonely === undefined) return undefined
    throw new Error(`${lonely} means nothing without AGENT_ACME_DIRECTORY: set both or none.`)
  }
  refuseContradictions(variables)
  if (email !== undefined && !EMAIL.test(email)) {
    throw new Error('The setting AGENT_ACME_EMAIL is wrong: it must be one e-mail address.')
  }
  return {
    directory: directoryOf(directory),
    name: nameOf(variables.AGENT_TLS_NAME),
    email,
    httpPort: variables.AGENT_ACME_HTTP_PORT,
    externalAccount: externalAccountOf(variables),
  }
}
