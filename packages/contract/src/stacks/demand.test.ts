import { expect, test } from 'vitest'
import { demandOf, worseOf } from './demand.ts'
import { ServiceSpec, type ServiceSpecInput } from './spec.ts'

const resources = { cpu: '500m', memory: '512Mi' }
const demand = (given: Partial<ServiceSpecInput>) => demandOf(ServiceSpec.parse({ image: 'x', resources, ...given }))
const extra = (role: 'init' | 'side', cpu: string) => ({
  name: `${role}-${cpu.replace('.', '-')}`,
  role,
  image: 'y',
  resources: { cpu },
})

test.each([
  [0, { cpu: 0, memory: 0 }],
  [1, { cpu: 1, memory: 1 }],
  [3, { cpu: 2, memory: 2 }],
])('%i instances need their limits and those of one more', (replicas, expected) => {
  expect(demand({ replicas })).toEqual(expected)
})

test.each<[string, Partial<ServiceSpecInput>, number]>([
  ['a larger surge counts', { replicas: 4, rollout: { type: 'rolling', surge: '50%' } }, 6],
  ['a part of the instances is rounded up', { replicas: 3, rollout: { type: 'rolling', surge: '34%' } }, 5],
  ['in place none is added', { replicas: 4, rollout: { type: 'healthy', healthy: 2 } }, 4],
  ['all at once none is added', { replicas: 4, rollout: { type: 'recreate' } }, 4],
  [
    'a claim of one host is given up before it is taken',
    { replicas: 2, volumes: [{ name: 'data', path: '/data', type: 'claim', size: '1Gi' }] },
    2,
  ],
  ['a StatefulSet replaces in place', { workload: 'statefulset', replicas: 3 }, 3],
  ['a DaemonSet counts its hosts', { workload: 'daemonset', replicas: 5 }, 5],
  ['a Job counts what runs at a time', { workload: 'job', replicas: 9, job: { completions: 8, parallelism: 2 } }, 2],
  ['a CronJob that waits runs once', { workload: 'cronjob', schedule: { cron: '0 3 * * *' } }, 1],
  [
    'a CronJob that replaces may run beside what it ends',
    { workload: 'cronjob', schedule: { cron: '0 3 * * *', overlap: 'replace' } },
    2,
  ],
])('%s', (_, given, pods) => {
  expect(demand(given).cpu).toBe(pods / 2)
})

test.each([
  ['side containers run beside', [extra('side', '0.25')], 0.75],
  ['an init container that is smaller runs before', [extra('init', '0.25')], 0.5],
  ['an init container that is larger decides', [extra('init', '2')], 2],
  ['an init container runs beside the side containers before it', [extra('side', '1'), extra('init', '2')], 3],
])('%s', (_, containers, cpu) => {
  expect(demand({ workload: 'statefulset', containers }).cpu).toBe(cpu)
})

test('if either of two must fit, the larger value of each figure counts', () => {
  expect(worseOf({ cpu: 1, memory: 4 }, { cpu: 2, memory: 3 })).toEqual({ cpu: 2, memory: 4 })
})
