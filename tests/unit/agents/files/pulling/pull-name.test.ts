import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNewName } from '#contracts/panel/file-path.ts'
import { nameOfSource } from '../../../../../agents/files/pulling/pull-name.ts'

const URL_OF_PACK = new URL('https://example.com/files/pack.zip?v=2')

it.each([
  [undefined, 'pack.zip'],
  ['inline', 'pack.zip'],
  ['attachment; filename=mod.jar', 'mod.jar'],
  ['attachment; filename="a; b \\"c\\".jar"', 'a; b "c".jar'],
  ['attachment; filename="old.jar"; filename*=UTF-8\'\'%C5%91.jar', 'ő.jar'],
  ["attachment; filename*=utf-8'en'a%20b.jar", 'a b.jar'],
  [Buffer.from('attachment; filename="ő.jar"').toString('latin1'), 'ő.jar'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment; filename="..\\\\..\\\\a.exe"', 'a.exe'],
  ['attachment; filename="/etc/cron.d/x"', 'x'],
  ["attachment; filename*=UTF-8''..%2F..%2Fx.jar", 'x.jar'],
  ["attachment; filename*=UTF-8''%2e%2e", 'pack.zip'],
  ['attachment; filename=".."', 'pack.zip'],
  ['attachment; filename=""', 'pack.zip'],
  [`attachment; filename="${'a'.repeat(256)}"`, 'pack.zip'],
  ["attachment; filename*=UTF-8''a%00b", 'pack.zip'],
  ['nonsense;;;="', 'pack.zip'],
])('of %j is %j', (disposition, name) => {
  expect(nameOfSource(URL_OF_PACK, disposition)).toBe(name)
})

it.each([
  ['https://example.com/', 'download'],
  ['https://example.com/a/', 'download'],
  ['https://example.com/a%2Fb%5Cc.zip', 'c.zip'],
  ['https://example.com/%E0%A4%A', '%E0%A4%A'],
  ['https://example.com/%252e%252e', 'download'],
  ['https://example.com/m%C5%91d.jar', 'mőd.jar'],
])('of the address %s is %j', (address, name) => {
  expect(nameOfSource(new URL(address), undefined)).toBe(name)
})

it('can always be the name of something new', () => {
  const header = fc.oneof(
    fc.string().map((name) => `attachment; filename="${name}"`),
    fc.string({ unit: 'grapheme' }).map((name) => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`),
    fc.string(),
  )
  fc.assert(
    fc.property(header, fc.webPath(), (disposition, path) => {
      expect(isNewName(nameOfSource(new URL(`https://example.com${path}`), disposition))).toBe(true)
    }),
  )
})
