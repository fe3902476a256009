import { describe, expect, test } from 'vitest'
import { podRequests } from './pod-requests.ts'

const asks = (cpu: string, memory = '0', restartPolicy?: string) => ({
  name: 'c',
  resources: { requests: { cpu, memory } },
  ...(restartPolicy && { restartPolicy }),
})
const Mi = 2 ** 20

describe('requests of a pod, by the scheduler’s rules', () => {
  test.each<[string, Parameters<typeof podRequests>[0]['spec'], number, number]>([
    ['none', { containers: [{ name: 'c' }] }, 0, 0],
    ['containers together', { containers: [asks('100m', '64Mi'), asks('0.25', '64Mi')] }, 350, 128 * Mi],
    [
      'an init container that asks for more',
      { containers: [asks('100m', '9Mi')], initContainers: [asks('1')] },
      1000,
      9 * Mi,
    ],
    ['an init container that asks for less', { containers: [asks('2')], initContainers: [asks('1')] }, 2000, 0],
    [
      'sidecars run beside the containers',
      { containers: [asks('100m')], initContainers: [asks('50m', '1Mi', 'Always')] },
      150,
      Mi,
    ],
    [
      'an init container beside the sidecars before it',
      {
        containers: [asks('100m')],
        initContainers: [asks('50m', '0', 'Always'), asks('1'), asks('7m', '0', 'Always')],
      },
      1050,
      0,
    ],
    ['the runtime takes some', { containers: [asks('100m')], overhead: { cpu: '10m', memory: '1Mi' } }, 110, Mi],
    [
      'of the pod itself, where it has some',
      { containers: [asks('100m', '5Mi')], resources: { requests: { cpu: '3' } } },
      3000,
      5 * Mi,
    ],
  ])('%s', (_, spec, cpu, memory) => {
    expect(podRequests({ ...(spec && { spec }) })).toEqual({ cpu, memory })
  })
})
