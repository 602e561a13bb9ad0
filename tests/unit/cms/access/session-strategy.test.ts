import { describe, expect, it } from 'vitest'
import { isForeignOrigin } from '../../../../src/cms/access/session-strategy.ts'

const from = (headers: Record<string, string>) => isForeignOrigin(new Headers({ host: 'host.example', ...headers }))

describe('isForeignOrigin', () => {
  it.each([
    ['no origin: a page the visitor opened', {}, false],
    ['the own origin', { origin: 'https://host.example' }, false],
    ['another host', { origin: 'https://evil.example' }, true],
    ['a host that begins alike', { origin: 'https://host.example.evil.example' }, true],
    ['another port', { origin: 'https://host.example:8443' }, true],
    ['an opaque origin', { origin: 'null' }, true],
    ['a bearer token was sent on purpose', { origin: 'https://evil.example', authorization: 'Bearer x' }, false],
  ])('%s', (_name, headers, expected) => {
    expect(from(headers)).toBe(expected)
  })
})
