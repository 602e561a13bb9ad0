import { describe, expect, test } from 'vitest'
import { chosenProtocol, originKind, proofOf, protocolsWith } from '../../../src/contracts/socket-proof.ts'

const TOKEN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln-_'

describe('proof in a handshake', () => {
  test.each([
    [{ 'sec-websocket-protocol': protocolsWith(TOKEN).join(', ') }, TOKEN],
    [{ 'sec-websocket-protocol': protocolsWith(TOKEN).join(',') }, TOKEN],
    [{ authorization: `Bearer ${TOKEN}` }, TOKEN],
    [{ authorization: `bearer ${TOKEN}` }, TOKEN],
    [{ authorization: 'Basic dXNlcjpwYXNz' }, undefined],
    [{ 'sec-websocket-protocol': 'bakter' }, undefined],
    [{ 'sec-websocket-protocol': 'bakter, bakter.token.' }, undefined],
    [{}, undefined],
  ])('of %j is %j', (headers, expected) => {
    expect(proofOf(headers)).toBe(expected)
  })

  test('is not the protocol that a server chooses', () => {
    expect(chosenProtocol(new Set(protocolsWith(TOKEN)))).toBe('bakter')
    expect(chosenProtocol(new Set([`bakter.token.${TOKEN}`]))).toBe(false)
    expect(chosenProtocol(new Set(['wings']))).toBe('wings')
  })

  test('comes behind the plain name, which an older server echoes', () => {
    expect(protocolsWith(TOKEN)[0]).toBe('bakter')
  })
})

test.each([
  ['https://site.test', 'page'],
  [undefined, 'must prove'],
  ['capacitor://localhost', 'must prove'],
  ['https://localhost', 'must prove'],
  ['http://localhost', 'foreign'],
  ['https://localhost:8443', 'foreign'],
  ['https://site.test.evil.test', 'foreign'],
  ['null', 'foreign'],
  ['', 'foreign'],
])('the origin %j is %s', (origin, expected) => {
  expect(originKind(origin, new Set(['https://site.test']))).toBe(expected)
})
