import { expect, test } from 'vitest'
import { attachmentDisposition } from '#platform/attachment-disposition.ts'

test.each([
  ['server.log', `attachment; filename="server.log"; filename*=UTF-8''server.log`],
  ['napló.log', `attachment; filename="napl_.log"; filename*=UTF-8''napl%C3%B3.log`],
  [`a"; x="b.txt`, `attachment; filename="a_; x=_b.txt"; filename*=UTF-8''a%22%3B%20x%3D%22b.txt`],
  ['a\r\nSet-Cookie: b', `attachment; filename="a__Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`],
  [`it's (1)*.txt`, `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
])('%j stays one parameter of one header', (name, header) => {
  expect(attachmentDisposition(name)).toBe(header)
})
