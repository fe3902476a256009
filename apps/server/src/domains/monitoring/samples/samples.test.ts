import { describe, expect, test } from 'vitest'
import { chooseSamples, type Measured } from './samples.ts'

const node = (name: string) => ({
  name,
  usage: { cpu: '250m', memory: '1Gi' },
  capacity: { cpu: 4, memory: 8 * 2 ** 30 },
})
const pod = (namespace: string, name: string, container = 'web') => ({
  namespace,
  pod: name,
  containers: [{ name: container, usage: { cpu: '100m', memory: '64Mi' } }],
})
const measured: Measured = {
  nodes: [node('n1'), node('n2')],
  pods: [pod('shop', 'web-6c9d7-bbbbb'), pod('shop', 'web-5c9d7-bbbbb'), pod('bank', 'web-5c9d7-bbbbb')],
  podNum: 12,
}

const linesOf = ({ kept }: ReturnType<typeof chooseSamples>) =>
  kept.map(({ expression, host, namespace, pod }) => [expression, host, namespace, pod].filter(Boolean).join(' '))

describe('the figures that are kept of a cluster', () => {
  test('are those of the cluster, its hosts, namespaces and containers, with their maximum', () => {
    const { kept, leftOut } = chooseSamples(measured, [])
    expect(leftOut).toBe(0)
    const find = (expression: string, of: object = {}) =>
      kept.find(
        (sample) =>
          sample.expression === expression && Object.entries(of).every(([k, v]) => Reflect.get(sample, k) === v),
      )
    expect(find('cluster_cpu_usage')).toMatchObject({ value: 0.5, most: 8 })
    expect(find('cluster_memory_usage')).toMatchObject({ value: 2 * 2 ** 30, most: 16 * 2 ** 30 })
    expect(find('cluster_pods')).toMatchObject({ value: 12, most: null })
    expect(find('host_cpu_usage', { host: 'n2' })).toMatchObject({ value: 0.25, most: 4 })
    expect(find('namespace_cpu_usage', { namespace: 'shop' })).toMatchObject({ value: 0.2 })
    expect(find('container_memory_usage', { namespace: 'bank' })).toMatchObject({
      value: 64 * 2 ** 20,
      pod: 'web-5c9d7-bbbbb',
    })
  })

  test('above the cap are those of prioritized containers, then always of the same ones', () => {
    const containers = (cap: number, priorities: Parameters<typeof chooseSamples>[1]) =>
      linesOf(chooseSamples(measured, priorities, cap)).filter((line) => line.startsWith('container_cpu'))
    const others = chooseSamples(measured, []).kept.filter(({ pod }) => pod === '').length
    expect(containers(others + 2, [])).toEqual(['container_cpu_usage bank web-5c9d7-bbbbb'])
    expect(containers(others + 2, [{ namespace: 'shop', service: 'web', container: 'web' }])).toEqual([
      'container_cpu_usage shop web-5c9d7-bbbbb',
    ])
    const turned = { ...measured, pods: measured.pods.toReversed() }
    expect(chooseSamples(turned, [], others + 2).kept.at(-1)).toEqual(
      chooseSamples(measured, [], others + 2).kept.at(-1),
    )
    expect(chooseSamples(measured, [], others + 2).leftOut).toBe(4)
  })

  test('exclude invalid ones, and a host of unknown size makes no percentage of the whole', () => {
    const broken = { ...node('n1'), usage: { cpu: 'much', memory: '' } }
    expect(linesOf(chooseSamples({ nodes: [broken], pods: [], podNum: undefined }, []))).toEqual([
      'cluster_cpu_usage',
      'cluster_memory_usage',
    ])
    const unknown = { ...node('n3'), capacity: undefined }
    const { kept } = chooseSamples({ ...measured, nodes: [node('n1'), unknown] }, [])
    expect(kept.find(({ expression }) => expression === 'cluster_cpu_usage')).toMatchObject({ most: null })
  })
})
