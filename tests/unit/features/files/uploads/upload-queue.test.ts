import { describe, expect, it } from 'vitest'
import { FileTrouble } from '@/features/files/file-trouble.ts'
import { totalsOf, UploadQueue } from '@/features/files/uploads/upload-queue.ts'

/** A node that keeps what is sent, refuses what is taken, and sends when it is told. */
const world = (taken: readonly string[] = []) => {
  const files = new Map<string, string>(taken.map((path) => [path, 'old']))
  const folders: string[] = []
  const failing = new Set<string>()
  const net = { isCut: false, losesAnswers: false, pauses: [] as number[], sends: 0 }
  let [running, most] = [0, 0]
  const queue = new UploadQueue(
    {
      holds: async (path, file) => files.get(path) === (await file.text()),
      pause: async (attempt) => {
        net.pauses.push(attempt)
        await new Promise((done) => setTimeout(done, 5))
        if (net.pauses.length >= 3) net.isCut = net.losesAnswers = false
      },
      makeFolder: (path) => {
        folders.push(path)
        return files.has(path) ? Promise.reject(new FileTrouble('ALREADY_EXISTS')) : Promise.resolve()
      },
      send: async (path, file, { replaces, onSent, signal, hold }) => {
        running += 1
        net.sends += 1
        most = Math.max(most, running)
        await new Promise((done) => setTimeout(done, 1))
        running -= 1
        if (signal.aborted || hold.aborted) throw new FileTrouble('AWAY')
        if (net.isCut) throw new FileTrouble('AWAY')
        if (failing.has(path)) throw new FileTrouble('NO_SPACE')
        if (!replaces && files.has(path)) throw new FileTrouble('ALREADY_EXISTS')
        onSent(file.size)
        files.set(path, await file.text())
        if (net.losesAnswers) {
          net.isCut = true
          throw new FileTrouble('AWAY')
        }
      },
    },
    () => {},
  )
  const settled = async () => {
    for (let round = 0; round < 500; round += 1) {
      await new Promise((done) => setTimeout(done, 1))
      if (!queue.list.some(({ state }) => state === 'waiting' || state === 'sending')) return
    }
    throw new Error('still on the way')
  }
  return { queue, files, folders, failing, net, settled, most: () => most }
}
const file = (path: string, text = 'new') => ({ path, file: new File([text], path) })
const states = (queue: UploadQueue) => queue.list.map(({ path, state }) => `${path}: ${state}`)

describe('uploads', () => {
  it('go three at once, into folders that are made once', async () => {
    const { queue, files, folders, settled, most } = world()
    queue.add(
      'plugins',
      Array.from({ length: 9 }, (_, index) => file(`pack/data/f${index}`)),
    )
    await settled()
    expect(most()).toBe(3)
    expect([...files.keys()].sort()).toEqual(Array.from({ length: 9 }, (_, index) => `plugins/pack/data/f${index}`))
    expect(folders).toEqual(['plugins', 'plugins/pack', 'plugins/pack/data'])
    expect(totalsOf(queue.list)).toEqual({ all: 9, settled: 9, failed: 0, bytes: 27, sent: 27 })
  })

  it('whose names are taken ask once for all, and replace nothing before', async () => {
    const { queue, files, settled } = world(['a', 'b'])
    queue.add('', [file('a'), file('b'), file('c')])
    await settled()
    expect([queue.isAsking, files.get('a'), files.get('c')]).toEqual([true, 'old', 'new'])
    queue.decide('replace')
    await settled()
    expect([queue.isAsking, files.get('a'), files.get('b')]).toEqual([false, 'new', 'new'])
  })

  it('are skipped, or kept beside the other under a number', async () => {
    const skipping = world(['a'])
    skipping.queue.add('', [file('a')])
    await skipping.settled()
    skipping.queue.decide('skip')
    expect([states(skipping.queue), skipping.files.get('a')]).toEqual([['a: skipped'], 'old'])
    const keeping = world(['w.zip', 'w (2).zip'])
    keeping.queue.add('', [file('w.zip')])
    await keeping.settled()
    keeping.queue.decide('keep both')
    await keeping.settled()
    expect([keeping.files.get('w.zip'), keeping.files.get('w (3).zip')]).toEqual(['old', 'new'])
  })

  it('that fail say why, and are tried again', async () => {
    const { queue, files, failing, settled } = world()
    failing.add('a')
    queue.add('', [file('a'), file('b')])
    await settled()
    expect(states(queue)).toEqual(['a: failed', 'b: done'])
    expect(queue.list[0]?.failure).toMatchObject({ code: 'NO_SPACE' })
    failing.clear()
    queue.retry()
    await settled()
    expect([states(queue), files.get('a')]).toEqual([['a: done', 'b: done'], 'new'])
  })

  it('that are paused send nothing until they are resumed, one by one or all', async () => {
    const { queue, files, settled } = world()
    queue.add(
      '',
      Array.from({ length: 6 }, (_, index) => file(`f${index}`)),
    )
    queue.pause()
    await new Promise((done) => setTimeout(done, 30))
    expect([new Set(queue.list.map(({ state }) => state)), files.size]).toEqual([new Set(['paused']), 0])
    queue.resume(2)
    await settled()
    expect([...files.keys()]).toEqual(['f1'])
    queue.resume()
    queue.pause(6)
    await settled()
    expect([files.size, states(queue).at(-1)]).toEqual([5, 'f5: paused'])
    queue.clear()
    expect(queue.list).toEqual([])
  })

  it('that go on replace what they were to replace when they began, and ask nothing', async () => {
    const { queue, files, settled } = world(['a', 'b'])
    queue.add('', [
      { ...file('a'), replaces: true },
      { ...file('b'), replaces: false },
    ])
    await settled()
    expect([files.get('a'), files.get('b'), queue.isAsking]).toEqual(['new', 'old', true])
  })

  it('that are cancelled send nothing more', async () => {
    const { queue, files } = world()
    queue.add(
      '',
      Array.from({ length: 20 }, (_, index) => file(`f${index}`)),
    )
    queue.clear()
    await new Promise((done) => setTimeout(done, 30))
    expect([queue.list, files.size]).toEqual([[], 0])
  })

  it('go on by themselves after an interruption, and wait longer each time until something arrives', async () => {
    const { queue, files, net, settled } = world()
    net.isCut = true
    queue.add(
      'pack',
      Array.from({ length: 6 }, (_, index) => file(`f${index}`)),
    )
    await new Promise((done) => setTimeout(done, 4))
    expect([queue.isInterrupted, files.size]).toEqual([true, 0])
    await settled()
    expect([queue.isInterrupted, files.size, net.pauses]).toEqual([false, 6, [0, 1, 2]])
    expect(totalsOf(queue.list)).toMatchObject({ settled: 6, failed: 0 })
    // Three were on their way in each attempt, and nothing was sent in between.
    expect(net.sends).toBe(6 + 3 * net.pauses.length)
    net.pauses.length = 0
    net.isCut = true
    queue.add('', [file('later')])
    await settled()
    expect([files.get('later'), net.pauses[0]]).toEqual(['new', 0])
  })

  it('whose answer was lost are known again, and asked about only if the bytes are others', async () => {
    const { queue, files, net, settled } = world(['theirs', 'same'])
    net.losesAnswers = true
    queue.add('', [file('mine')])
    await settled()
    expect([states(queue), queue.isAsking, files.get('mine')]).toEqual([['mine: done'], false, 'new'])
    net.pauses.length = 0
    net.isCut = true
    queue.add('', [file('theirs')])
    await settled()
    expect([queue.isAsking, files.get('theirs')]).toEqual([true, 'old'])
    queue.clear()
    files.set('same', 'new')
    queue.add('', [file('same')])
    await settled()
    // Nothing was interrupted here: somebody else has the name.
    expect(queue.isAsking).toBe(true)
  })

  it('that are cancelled while interrupted send nothing when the connection is back', async () => {
    const { queue, files, net } = world()
    net.isCut = true
    queue.add('', [file('a')])
    await new Promise((done) => setTimeout(done, 4))
    queue.clear()
    expect(queue.isInterrupted).toBe(false)
    net.isCut = false
    await new Promise((done) => setTimeout(done, 30))
    expect([queue.isInterrupted, queue.list, files.size]).toEqual([false, [], 0])
  })
})
