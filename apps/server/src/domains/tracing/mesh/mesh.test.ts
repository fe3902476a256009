import { mesh } from '@gantry/contract/tracing/mesh'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { simulatedTracing } from '../../../../test/simulated-tracing.ts'
import { tracedCluster } from '../../../../test/traced-cluster.ts'

const { mine, theirs, connect } = await tracedCluster()
const kiali = await simulatedTracing()
afterAll(() => kiali.close())

const workload = (id: string, namespace: string, name: string, more = {}) => ({
  id,
  nodeType: 'workload',
  cluster: 'Kubernetes',
  namespace,
  workload: name,
  app: name,
  version: 'latest',
  ...more,
})
beforeEach(async () => {
  kiali.instead = undefined
  kiali.graph = {
    nodes: [
      workload('1', mine.namespace, 'web', { isRoot: true }),
      workload('2', theirs.namespace, 'secret-ledger'),
      workload('3', theirs.namespace, 'secret-vault'),
      { id: '4', nodeType: 'unknown', namespace: 'unknown', workload: 'unknown', app: 'unknown', version: 'unknown' },
      { id: '5', nodeType: 'service', namespace: mine.namespace, service: 'cache', isServiceEntry: { location: 'x' } },
    ],
    edges: [
      {
        id: 'e0',
        source: '1',
        target: '2',
        isMTLS: '100',
        responseTime: '12',
        traffic: { protocol: 'http', rates: { http: '2.50', httpPercentErr: '4.0', httpPercentReq: '100.0' } },
      },
      { id: 'e1', source: '2', target: '3', traffic: { protocol: 'tcp', rates: { tcp: '10.00' } } },
      { id: 'e2', source: '4', target: '1', traffic: {} },
    ],
  }
  await connect('kiali', { url: kiali.url })
})
const graph = (query: object = {}, who = mine) => who.team.leader.call(mesh.graph, { params: who.params, query })

test('the traffic of a stack shows its own workloads by name, others’ without, and no traffic between others', async () => {
  const answer = await graph({ minutes: 10 })
  expect(answer).toMatchObject({ unset: false, notice: '', truncated: false })
  expect(answer.nodes).toEqual([
    {
      id: 'n1',
      kind: 'workload',
      name: 'web',
      namespace: mine.namespace,
      version: 'latest',
      hidden: false,
      serviceId: mine.service,
      root: true,
    },
    { id: 'n2', kind: 'workload', name: '', namespace: '', version: '', hidden: true, serviceId: null, root: false },
    { id: 'n4', kind: 'unknown', name: '', namespace: '', version: '', hidden: false, serviceId: null, root: false },
    expect.objectContaining({ id: 'n5', kind: 'service', name: 'cache', hidden: false }),
  ])
  expect(answer.edges).toEqual([
    { from: 'n1', to: 'n2', protocol: 'http', rate: 2.5, errors: 4, p95: 12, mtls: 100 },
    { from: 'n4', to: 'n1', protocol: '', rate: 0, errors: 0, p95: null, mtls: 0 },
  ])
  expect(JSON.stringify(answer)).not.toContain('secret')
  const query = kiali.asked.findLast(({ path }) => path === '/api/namespaces/graph')?.query
  expect(Object.fromEntries(query ?? [])).toMatchObject({
    namespaces: mine.namespace,
    graphType: 'workload',
    duration: '10m',
    responseTime: '95',
  })
})

test('a workload of the same name in another cluster of the mesh belongs to others', async () => {
  await connect('kiali', { url: kiali.url, cluster: 'other' })
  expect((await graph()).nodes.map(({ name }) => name)).toEqual(['', '', 'cache'])
})

test('a missing or failing Kiali gives a notice, and an unoffered time is refused', async () => {
  kiali.instead = { status: 503, body: '' }
  expect(await graph()).toMatchObject({ nodes: [], notice: expect.stringContaining('not responding properly') })
  kiali.instead = undefined
  await connect('kiali', {})
  expect(await graph()).toMatchObject({ unset: true, nodes: [], notice: '' })
  await expect(graph({ minutes: 7 })).rejects.toMatchObject({ status: 400 })
  await expect(mine.team.leader.call(mesh.graph, { params: theirs.params })).rejects.toMatchObject({ status: 403 })
})
