import { connect } from 'node:http2'
import { duplexPair } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { FileFailure, refusalOf } from '../../../../agents/files/file-failure.ts'

const errorOf = (code: string) => Object.assign(new Error(code), { code })

describe('the refusal for an error', () => {
  it('for a request to a worker whose session is over is BUSY, so that it is sent again', () => {
    const [connection] = duplexPair()
    const session = connect('http://files', { createConnection: () => connection })
    session.destroy()
    let thrown: unknown
    try {
      session.request({ ':path': '/' })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'ERR_HTTP2_INVALID_SESSION' })
    expect(refusalOf(thrown)).toBe('BUSY')
  })

  it.each([
    [new FileFailure('TOO_LARGE'), 'TOO_LARGE'],
    [errorOf('ENOSPC'), 'NO_SPACE'],
    [errorOf('EMFILE'), 'BUSY'],
    [errorOf('ERR_INVALID_ARG_TYPE'), 'INTERNAL'],
    [new Error('a mistake of ours'), 'INTERNAL'],
    ['no error', 'INTERNAL'],
  ] as const)('%s is %s', (error, refusal) => {
    expect(refusalOf(error)).toBe(refusal)
  })
})
