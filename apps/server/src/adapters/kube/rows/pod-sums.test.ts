import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PodRow } from './pod-row.ts'
import { podSums } from './pod-sums.ts'
import { rowStore } from './rows.ts'

type Told = Pick<PodRow, 'name' | 'node' | 'phase' | 'cpu' | 'memory' | 'labels'>

const pod = fc.record<Told>({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  node: fc.constantFrom('', 'one', 'two'),
  phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
  cpu: fc.integer({ min: 0, max: 4000 }),
  memory: fc.integer({ min: 0, max: 2 ** 33 }),
  labels: fc.constantFrom<Record<string, string>[]>({}, { 'gantry.dev/component': 'server' }),
})

const step = fc.oneof(
  fc.record({ is: fc.constant('put' as const), pod, uid: fc.constantFrom('1', '2') }),
  fc.record({ is: fc.constant('remove' as const), pod, uid: fc.constant('1') }),
)

test('after any changes the sums equal those of the current rows', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat({ max: 40 }), (steps, from) => {
      let hear: Parameters<typeof rowStore<PodRow>>[0] = () => {}
      const store = rowStore<PodRow>((change) => hear(change))
      const open = () =>
        podSums({
          all: store.all,
          on: (listener) => {
            hear = listener
            return () => {}
          },
        })
      let sums: ReturnType<typeof podSums> | undefined
      for (const [at, { is, pod, uid }] of steps.entries()) {
        if (at === from) sums = open()
        if (is === 'remove') store.remove({ name: pod.name })
        else store.put({ name: pod.name }, uid, String(at), pod as PodRow)
      }
      sums ??= open()
      for (const node of ['one', 'two']) {
        const there = store
          .all()
          .filter((row) => row.node === node && row.phase !== 'Succeeded' && row.phase !== 'Failed')
        expect(sums(node)).toEqual({
          pods: there.length,
          cpu: there.reduce((sum, row) => sum + row.cpu, 0),
          memory: there.reduce((sum, row) => sum + row.memory, 0),
          servers: there.filter((row) => row.labels['gantry.dev/component'] === 'server').length,
        })
      }
      expect(sums('')).toEqual({ pods: 0, cpu: 0, memory: 0, servers: 0 })
    }),
  )
})
