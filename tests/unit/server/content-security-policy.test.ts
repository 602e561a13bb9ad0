import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adminPolicy, inlineHashes, pagePolicy } from '../../../src/server/content-security-policy.ts'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('inline parts', () => {
  test('every script that runs is hashed as it stands', () => {
    const html = `<script>a < b && "é"</script><script type="module" async>b</script><script type='text/javascript'>c\n</script>`
    expect(inlineHashes(html).scripts).toEqual([hash('a < b && "é"'), hash('b'), hash('c\n')].sort())
  })

  test('scripts with a source, data blocks and empty ones need no hash', () => {
    const html = `<script src="/x.js">ignored</script><script type="application/ld+json">{}</script><script></script>`
    expect(inlineHashes(html).scripts).toEqual([])
  })

  test('a data-src attribute is no source', () => {
    expect(inlineHashes(`<script data-src="x">runs</script>`).scripts).toEqual([hash('runs')])
  })

  test('styles and style attributes, decoded', () => {
    const html = `<style data-x>p{}</style><p class="a" style="--at:1px;content:&quot;x&quot;">t</p><b style='c:d'/>`
    expect(inlineHashes(html)).toEqual({
      scripts: [],
      styles: [hash('p{}')],
      styleAttributes: [hash('--at:1px;content:"x"'), hash('c:d')].sort(),
    })
  })

  test('a tag in scripts, comments or text is none', () => {
    const html = `<script>"<p style='evil'>"</script><!-- <p style="evil2"> --><p data-style="x">style="y"</p>`
    expect(inlineHashes(html).styleAttributes).toEqual([])
  })
})

describe('policies', () => {
  const options = { connect: ['wss://node.test:8080'], isSecure: true }
  const hashes = { scripts: [hash('a')], styles: [], styleAttributes: [] }

  test('a page allows its own inline scripts and no others', () => {
    const policy = pagePolicy(hashes, options)
    expect(policy).toContain(
      `default-src 'none'; script-src 'self' ${hash('a')}; style-src 'self'; style-src-attr 'none'`,
    )
    expect(policy).toContain("connect-src 'self' wss://node.test:8080;")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'; form-action 'self'; object-src 'none'; upgrade-insecure-requests")
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
  })

  test('style attributes are named one by one', () => {
    expect(pagePolicy({ ...hashes, styleAttributes: [hash('s')] }, options)).toContain(
      `style-src-attr 'unsafe-hashes' ${hash('s')};`,
    )
  })

  test('the admin is looser and still loads nothing from elsewhere', () => {
    const policy = adminPolicy(options, 'c2VjcmV0')
    expect(policy).toContain("script-src 'self' 'nonce-c2VjcmV0'; style-src 'self' 'unsafe-inline'")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    expect(adminPolicy(options, null)).toContain("script-src 'self' 'unsafe-inline';")
  })
})
