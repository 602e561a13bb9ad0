import { describe, expect, it } from 'vitest'
import { judgeNodeUrl } from '../../../../src/cms/fields/node-url.ts'

describe("a computer's address", () => {
  it.each([
    ['https://node.example.com', true, undefined],
    ['https://node.example.com:8080', true, undefined],
    ['http://node.example.com', true, 'plain'],
    ['http://127.0.0.1:8080', false, undefined],
    ['ftp://node.example.com', false, 'invalid'],
    ['javascript:alert(1)', false, 'invalid'],
    ['https://user:pass@node.example.com', false, 'invalid'],
    ['node.example.com', false, 'invalid'],
  ])('%s (production: %s) is %s', (value, isProduction, refusal) => {
    expect(judgeNodeUrl(value, isProduction)).toBe(refusal)
  })
})
