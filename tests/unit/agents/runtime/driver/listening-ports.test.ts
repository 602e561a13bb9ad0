import { expect, it } from 'vitest'

import { listeningPorts } from '../../../../../agents/runtime/driver/listening-ports.ts'

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const row = (local: string, state: string) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 1000 0 42 1 0\n`

const tables: Readonly<Record<string, string>> = {
  // 25565 listens; 25566 is one end of a connection.
  '/proc/7/net/tcp': HEAD + row('00000000:63DD', '0A') + row('0100007F:63DE', '01'),
  '/proc/7/net/tcp6': HEAD + row('00000000000000000000000000000000:1F90', '0A'),
  '/proc/7/net/udp': HEAD + row('00000000:63DD', '07') + row('00000000:63DF', '01'),
  '/proc/7/net/udp6': HEAD + row('00000000000000000000000000000000:6A', '07'),
}

it('finds what listens on either kind of address, and no end of a connection', async () => {
  const seen = await listeningPorts(7, (file) => Promise.resolve(tables[file]))
  expect([...(seen?.tcp ?? [])]).toEqual([25_565, 8_080])
  expect([...(seen?.udp ?? [])]).toEqual([25_565, 106])
})

it('a node without IPv6 has two tables, a process that is gone has none', async () => {
  const v4 = (file: string) => Promise.resolve(file.endsWith('6') ? undefined : tables[file])
  expect([...((await listeningPorts(7, v4))?.tcp ?? [])]).toEqual([25_565])
  expect(await listeningPorts(7, () => Promise.resolve(undefined))).toBeUndefined()
})
