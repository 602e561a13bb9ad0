import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ATTACHMENT_BOUNDS, attachmentContent, attachmentName, refusalOfScan } from '#domain/tickets/attachment.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
const TEXT = attachmentContent(bytesOf('text'))
const PICTURE = attachmentContent(PNG)
if (!TEXT || !PICTURE) throw new Error('both are files of ours')

it.each([
  ['a picture', PNG, 'picture'],
  ['a zip', bytesOf('PK\u0003\u0004rest'), 'archive'],
  ['an empty zip', bytesOf(`PK\u0005\u0006${'\0'.repeat(18)}`), 'archive'],
  ['a log with colours', bytesOf('[12:00] \u001b[31mHiba: őű\u001b[0m\r\n'), 'text'],
  ['a page', bytesOf('<script>alert(1)</script>'), 'text'],
  ['a drawing', bytesOf('<svg onload="alert(1)"/>'), 'text'],
  ['nothing', new Uint8Array(), undefined],
  ['text with NUL', bytesOf('a\0b'), undefined],
  ['text in Latin-2', new Uint8Array([0x68, 0xf5, 0x20]), undefined],
  ['a program', new Uint8Array([0x4d, 0x5a, 0x90, 0x00]), undefined],
  ['a GIF', bytesOf('GIF89a\u0001\0\u0001\0'), undefined],
])('%s is told by its bytes', (_name, bytes, kind) => {
  expect(attachmentContent(bytes)?.kind).toBe(kind)
})

it.each([
  ['latest.log', 'latest.log'],
  ['Server.Properties', 'Server.Properties'],
  ['page.html', 'page.html.txt'],
  ['run.bat', 'run.bat.txt'],
  ['README', 'README.txt'],
  ['../../etc/passwd', 'passwd.txt'],
  ['C:\\Users\\me\\latest.log', 'latest.log'],
  ['.htaccess', 'htaccess.txt'],
  ['', 'attachment.txt'],
  ['...', 'attachment.txt'],
  ['.log', 'log.txt'],
  ['a\r\nb".log', 'ab.log'],
  ['gol\u202Etxt.log', 'goltxt.log'],
  ['half\uD800.log', 'half.log'],
  ['árvíztűrő napló.log', 'árvíztűrő napló.log'],
])('%j of a text is kept as %j', (sent, kept) => {
  expect(attachmentName(sent, TEXT)).toBe(kept)
})

it('a picture ends as what it was made', () => {
  expect(attachmentName('Screen.PNG', PICTURE)).toBe('Screen.PNG')
  expect(attachmentName('invoice.pdf', PICTURE)).toBe('invoice.pdf.png')
})

it('a name is short, whole and of one part, whatever is sent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (sent) => {
      const name = attachmentName(sent, TEXT)
      expect(name.length).toBeLessThanOrEqual(ATTACHMENT_BOUNDS.name)
      expect(name).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}/\\<>:"|?*]+\.[a-z0-9]+$/iu)
      expect(() => encodeURIComponent(name)).not.toThrow()
    }),
  )
})

it('a file that the virus scanner does not let through is refused by the reason', () => {
  expect((['clean', 'infected', 'too-large'] as const).map(refusalOfScan)).toEqual([
    null,
    'ATTACHMENT_INFECTED',
    'ATTACHMENT_UNSCANNABLE',
  ])
})
