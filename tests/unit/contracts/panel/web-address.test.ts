import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_ADDRESS_LENGTH, portOf, webAddressOf } from '#contracts/panel/web-address.ts'

describe('a web address', () => {
  it.each([
    ['https://example.com/a.zip', 443],
    ['http://example.com', 80],
    ['HTTPS://EXAMPLE.COM./a%20b?c=d#e', 443],
    ['http://example.com:8080/', 8_080],
    ['https://example.com:1024/', 1_024],
    ['http://[2606:4700::1111]:65535/', 65_535],
    ['https://bücher.example/ő.zip', 443],
  ])('%s may be asked', (text, port) => {
    const url = webAddressOf(text)
    expect(url === undefined ? undefined : portOf(url)).toBe(port)
  })

  it.each([
    '',
    'example.com/a.zip',
    '/etc/passwd',
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'unix:/run/docker.sock',
    'http://',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://example.com@127.0.0.1/',
    'http://:x@example.com/',
    'http://example.com:0/',
    'http://example.com:22/',
    'http://example.com:25/',
    'http://example.com:445/',
    'http://example.com:1023/',
    'http://example.com:65536/',
    'http://example.com/a b',
    'http://example.com/\r\nHost: inner',
    'http://exam\tple.com/',
    'http:\\\\example.com\\a',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://127.0.0.1%00.example.com/',
    `http://example.com/${'a'.repeat(MAX_ADDRESS_LENGTH)}`,
  ])('%j may not', (text) => {
    expect(webAddressOf(text)).toBeUndefined()
  })

  it.each([
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://①②⑦.0.0.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
    ['http://[0:0:0:0:0:0:0:1]/', '[::1]'],
  ])('%s has the host that its connection goes to', (text, host) => {
    expect(webAddressOf(text)?.hostname).toBe(host)
  })

  it('of a redirect may be relative, and never gives up TLS', () => {
    const base = new URL('https://example.com/a/b')
    expect(webAddressOf('../c?d', base)?.href).toBe('https://example.com/c?d')
    expect(webAddressOf('//other.example/e', base)?.href).toBe('https://other.example/e')
    expect(webAddressOf('http://example.com/', base)).toBeUndefined()
    expect(webAddressOf('https://example.com/', new URL('http://example.com/'))?.protocol).toBe('https:')
  })

  it('has a scheme of the web, no credentials and one of its ports, whatever the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl({ withQueryParameters: true }),
      fc.webUrl({ validSchemes: ['ftp', 'http'] }),
    )
    fc.assert(
      fc.property(text, fc.option(fc.nat(70_000)), (address, port) => {
        const url = webAddressOf(port === null ? address : address.replace(/^(\w+:\/\/[^/]+)/, `$1:${port}`))
        if (url === undefined) return
        expect(['http:', 'https:']).toContain(url.protocol)
        expect(url.username + url.password).toBe('')
        expect([80, 443].includes(portOf(url)) || portOf(url) >= 1_024).toBe(true)
      }),
    )
  })
})
