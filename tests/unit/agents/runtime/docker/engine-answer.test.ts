import { describe, expect, it } from 'vitest'

import { refusalOf, refuseVersion, valueOf } from '../../../../../agents/runtime/docker/engine-answer.ts'

const httpError = (statusCode: number, message: string) =>
  Object.assign(new Error(`(HTTP code ${statusCode}) unexpected - ${message} `), { statusCode, json: { message } })

describe('what an answer of the engine means', () => {
  it.each([
    [httpError(404, 'No such container: x'), 'NOT_FOUND'],
    [httpError(409, 'The name is taken'), 'CONFLICT'],
    [httpError(400, 'bad parameter'), 'REFUSED'],
    [httpError(500, 'driver failed programming external connectivity'), 'REFUSED'],
    [httpError(503, 'node is not ready'), 'UNREACHABLE'],
    [httpError(500, 'dial unix /run/docker/containerd/containerd.sock: connect: refused'), 'UNREACHABLE'],
    [httpError(500, 'ttrpc: closed: unknown'), 'UNREACHABLE'],
    [httpError(500, 'rpc error: code = Unavailable desc = transport is closing'), 'UNREACHABLE'],
    [Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' }), 'UNREACHABLE'],
    [Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), 'UNREACHABLE'],
    ['a text', 'UNREACHABLE'],
  ])('%s is %s', (error, code) => {
    expect(refusalOf(error)).toMatchObject({ ok: false, code })
  })

  it("gives the engine's own sentence", () => {
    expect(refusalOf(httpError(404, 'No such image: x'))).toMatchObject({ message: 'No such image: x' })
  })

  it('becomes an error that says whether trying again may help', () => {
    expect(() => valueOf({ ok: false, code: 'UNREACHABLE', message: 'gone' }, 'start it')).toThrow(
      expect.objectContaining({
        code: 'RUNTIME_UNREACHABLE',
        retryable: true,
        message: 'Docker did not start it: gone',
      }),
    )
    expect(() => valueOf({ ok: false, code: 'REFUSED', message: 'no' }, 'start it')).toThrow(
      expect.objectContaining({ code: 'RUNTIME_REFUSED', retryable: false }),
    )
    expect(valueOf({ ok: true, value: 3 }, 'count')).toBe(3)
  })
})

describe('which engines are used', () => {
  it.each(['1.41', '1.42', '1.100', '2.0'])('API %s is', (api) => {
    expect(refuseVersion(api, '20.10.24')).toBeUndefined()
  })
  it.each(['1.40', '1.5', '0.99'])('API %s is too old', (api) => {
    expect(refuseVersion(api, '19.3.1')).toBe(
      `Docker 19.3.1 (API ${api}) is too old: Bakter needs Docker 20.10 (API 1.41) or newer.`,
    )
  })
  it('something that is no version is not', () => {
    expect(refuseVersion('new', '1')).toBe('Docker calls its interface "new", which is no version.')
  })
})
