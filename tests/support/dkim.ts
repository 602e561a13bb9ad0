import { createHash, createPublicKey, verify } from 'node:crypto'

const relaxedHeader = (line: string): string => {
  const at = line.indexOf(':')
  const value = line
    .slice(at + 1)
    .replaceAll(/\r\n/g, '')
    .replaceAll(/[ \t]+/g, ' ')
  return `${line.slice(0, at).trim().toLowerCase()}:${value.trim()}`
}

const relaxedBody = (body: string): string => {
  const lines = body.replaceAll(/[ \t]+\r\n/g, '\r\n').replaceAll(/[ \t]+/g, ' ')
  const ended = lines.replace(/(?:\r\n)*$/, '\r\n')
  return ended === '\r\n' ? '' : ended
}

const tagsOf = (value: string): Map<string, string> =>
  new Map(
    value.split(';').flatMap((tag) => {
      const [, name, text] = /^\s*(\w+)\s*=([\s\S]*)$/.exec(tag) ?? []
      return name === undefined ? [] : [[name, (text ?? '').replaceAll(/\s+/g, '')] as const]
    }),
  )

export type DkimSignature = {
  readonly domain: string
  readonly selector: string
  readonly headers: readonly string[]
  readonly isRight: boolean
}

/**
 * The signature of a mail as a mailbox keeps it, checked with the public key in PEM format (RFC 6376, relaxed/relaxed, RSA with SHA-256);
 * undefined without one. Written apart from the library that signs.
 */
export function dkimOf(mail: Buffer, publicKey: string): DkimSignature | undefined {
  const raw = mail.toString('latin1').replaceAll(/\r?\n/g, '\r\n')
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw.slice(0, end).split(/\r\n(?![ \t])/)
  const signature = lines.find((line) => /^dkim-signature:/i.test(line))
  if (signature === undefined) return undefined
  const tags = tagsOf(signature.slice(signature.indexOf(':') + 1))
  const headers = (tags.get('h') ?? '').toLowerCase().split(':')
  const left = [...lines]
  const signed = headers.flatMap((name) => {
    const at = left.findLastIndex((line) => line.toLowerCase().startsWith(`${name}:`))
    return at === -1 ? [] : left.splice(at, 1).map(relaxedHeader)
  })
  const unsigned = relaxedHeader(signature.replace(/([;\s]b=)[^;]*/, '$1'))
  const bytes = Buffer.from(`${signed.join('\r\n')}\r\n${unsigned}`, 'latin1')
  const bodyHash = createHash('sha256')
    .update(Buffer.from(relaxedBody(raw.slice(end + 4)), 'latin1'))
    .digest('base64')
  const isSigned = verify('sha256', bytes, createPublicKey(publicKey), Buffer.from(tags.get('b') ?? '', 'base64'))
  return {
    domain: tags.get('d') ?? '',
    selector: tags.get('s') ?? '',
    headers,
    isRight: isSigned && bodyHash === tags.get('bh') && tags.get('c') === 'relaxed/relaxed',
  }
}
