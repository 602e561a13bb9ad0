import { describe, expect, it } from 'vitest'

import { locateCgroup, networkOf, sampleCgroup } from '../../../../../agents/runtime/docker/cgroup.ts'

const NETWORK = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:    9000      10    0    0    0     0          0         0     9000      10    0    0    0     0       0          0
  eth0:    1500      10    0    0    0     0          0         0     2500      12    0    0    0     0       0          0
  eth1:     500       1    0    0    0     0          0         0        7       1    0    0    0     0       0          0
`

const filesOf = (files: Readonly<Record<string, string>>) => ({ read: (file: string) => files[file] })

const V2 = {
  '/sys/fs/cgroup/cgroup.controllers': 'cpu memory pids\n',
  '/proc/7/cgroup': '0::/docker/abc\n',
  '/proc/7/net/dev': NETWORK,
  '/sys/fs/cgroup/docker/abc/cpu.stat': 'usage_usec 2500000\nuser_usec 1\n',
  '/sys/fs/cgroup/docker/abc/memory.current': '104857600\n',
  '/sys/fs/cgroup/docker/abc/memory.stat': 'anon 5\nactive_file 9\ninactive_file 4857600\n',
  '/sys/fs/cgroup/docker/abc/pids.current': '12\n',
}
const V1 = {
  '/proc/7/cgroup': '5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n3:pids:/docker/abc\n0::/system\n',
  '/proc/7/net/dev': NETWORK,
  '/sys/fs/cgroup/cpuacct/docker/abc/cpuacct.usage': '2500000000\n',
  '/sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes': '104857600\n',
  '/sys/fs/cgroup/memory/docker/abc/memory.stat': 'inactive_file 1\ntotal_inactive_file 4857600\n',
  '/sys/fs/cgroup/pids/docker/abc/pids.current': '12\n',
}

describe('usage from the kernel', () => {
  it.each([
    ['one tree of groups', V2, 2],
    ['a tree for each controller', V1, 1],
  ])('is the same from %s', (_, tree, version) => {
    const files = filesOf(tree)
    const place = locateCgroup(files, 7)
    expect(place?.version).toBe(version)
    expect(place && sampleCgroup(files, place)).toEqual({
      cpuMs: 2_500,
      memoryBytes: 100_000_000,
      processes: 12,
      network: { receivedBytes: 2_000, sentBytes: 2_507 },
    })
  })

  it('is unknown without the files, and once the group is gone', () => {
    expect(locateCgroup(filesOf({}), 7)).toBeUndefined()
    const place = locateCgroup(filesOf(V2), 7)
    expect(place && sampleCgroup(filesOf({}), place)).toBeUndefined()
  })

  it('counts no loopback', () => {
    expect(networkOf(NETWORK.split('\n').slice(0, 3).join('\n'))).toEqual({ receivedBytes: 0, sentBytes: 0 })
  })
})
