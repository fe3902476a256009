import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { bookmark, line, listening, map, reflected, settle, values } from '../../../../test/reflected.ts'
import { openReflector } from './reflector.ts'
import { secrets } from '../resources.ts'

describe('a healthy cluster', () => {
  test('is listed by pages once for all who need it, then watched from the list’s version', async () => {
    const objects = Array.from({ length: 1200 }, (_, i) => map(`m${i}`, 'a', i, i % 2 ? 'odd' : 'even'))
    const { reflector, lists, watch, watches } = await reflected(objects)
    const { lease, changes } = listening(reflector)
    const other = reflector.need()
    expect((await lease.ready()).state).toBe('live')
    expect((await other.ready()).state).toBe('live')
    expect(lists()).toHaveLength(3)
    expect((await watch(1)).from).toBe('100')
    expect(watches).toHaveLength(1)
    expect(lease.size()).toBe(1200)
    expect(lease.inNamespace('odd')).toHaveLength(600)
    expect(lease.get({ name: 'm7', namespace: 'odd' })).toEqual({ name: 'm7', value: 'a' })
    expect(changes).toHaveLength(1200)
  })

  test('delivers changes in order, also in small chunks or many at once', async () => {
    const { reflector, watch } = await reflected([map('a', '1', 1)])
    const { lease, changes } = listening(reflector)
    await lease.ready()
    const { response } = await watch(1)
    const text = [
      line('ADDED', map('é', '1', 101)),
      line('MODIFIED', map('a', '2', 102)),
      line('MODIFIED', map('a', '2', 103)),
      bookmark(104),
      line('DELETED', map('é', '1', 105)),
    ].join('')
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 7) {
      response.write(bytes.subarray(at, at + 7))
      if (at % 70 === 0) await settle(1)
    }
    await expect.poll(() => changes).toEqual(['added a=1', 'added é=1', 'changed a=2', 'removed é=1'])
    expect(values(lease)).toEqual({ a: '2' })
  })

  test('that ends the watch normally is watched again at once from its position, and stays live', async () => {
    const { reflector, watch, lists } = await reflected([], { lived: 0 })
    const { lease, states } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.end(bookmark(150))
    expect((await watch(2)).from).toBe('150')
    ;(await watch(2)).response.end(line('ADDED', map('a', '1', 160)))
    expect((await watch(3)).from).toBe('160')
    expect(lists()).toHaveLength(1)
    expect(states.map(({ state }) => state)).toEqual(['live'])
  })

  test('a row that cannot be built, or a listener that throws, is reported and affects no other', async () => {
    const { reflector, faults } = await reflected([map('a', 'poison', 1), map('b', '1', 2)])
    const lease = reflector.need()
    lease.on(() => {
      throw new Error('bad listener')
    })
    await lease.ready()
    expect(values(lease)).toEqual({ b: '1' })
    expect(faults).toHaveLength(2)
  })
})

/** Makes timers fake: a released lease then expires when the test advances the time. */
function timersMoved() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('leases', () => {
  test('start the reflector, which stops and forgets its rows some time after the last lease', async () => {
    const { reflector, api, lists, watch } = await reflected([map('a', '1', 1)], { idle: 50 })
    await settle(20)
    expect(api.seen).toEqual([])
    const first = reflector.need()
    const second = reflector.need()
    await first.ready()
    await watch(1)
    timersMoved()
    first.release()
    first.release()
    vi.advanceTimersByTime(120)
    expect(reflector.running()).toBe(true)
    second.release()
    vi.advanceTimersByTime(49)
    expect(reflector.running()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(reflector.running()).toBe(false)
    expect(reflector.size()).toBe(0)
    const again = reflector.need()
    expect((await again.ready()).state).toBe('live')
    expect(again.size()).toBe(1)
    expect(lists()).toHaveLength(2)
  })

  test('find the rows unchanged within that time', async () => {
    const { reflector, lists } = await reflected([map('a', '1', 1)], { idle: 600 })
    timersMoved()
    for (let at = 0; at < 3; at++) {
      {
        using lease = reflector.need()
        expect((await lease.ready()).state).toBe('live')
      }
      vi.advanceTimersByTime(599)
    }
    expect(reflector.running()).toBe(true)
    expect(lists()).toHaveLength(1)
  })

  test('end their listeners when they are released', async () => {
    const { reflector, watch } = await reflected([])
    const { lease, changes } = listening(reflector)
    const other = listening(reflector)
    await lease.ready()
    lease.release()
    ;(await watch(1)).response.write(line('ADDED', map('a', '1', 101)))
    await expect.poll(() => other.changes).toEqual(['added a=1'])
    expect(changes).toEqual([])
  })

  test('a restart lists again, and keeps the rows until then', async () => {
    const objects = [map('a', '1', 1)]
    const { reflector, lists, watch } = await reflected(objects)
    const { lease, changes } = listening(reflector)
    await lease.ready()
    await watch(1)
    objects[0] = map('b', '1', 2)
    reflector.restart(false)
    expect(values(lease)).toEqual({ a: '1' })
    await watch(2)
    expect(changes).toEqual(['added a=1', 'added b=1', 'removed a=1'])
    expect(lists()).toHaveLength(2)
  })
})

test('Secrets are never cached', async () => {
  const { transport } = await reflected([])
  expect(() => openReflector(transport, { resource: secrets, keep: () => ({}) })).toThrow(TypeError)
})
