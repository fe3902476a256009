import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Stack } from '@gantry/contract/stacks/stacks'
import type { Row } from '../src/domains/stacks/containers/use-containers.ts'

/** A stack and its services as the server answers them, for tests. */
export const env = '0b0f7a3e-0000-4000-8000-000000000001'
export const stackUuid = '0b0f7a3e-0000-4000-8000-000000000002'

export const stack = (change: Partial<Stack> = {}): Stack => ({
  id: 1,
  uuid: stackUuid,
  teamId: 1,
  name: 'shop',
  description: '',
  envId: env,
  envName: 'production',
  namespace: 'default-shop',
  productId: null,
  productName: '',
  blueprintId: null,
  blueprintVersion: '',
  catalogId: null,
  catalogName: '',
  templateId: null,
  templateVersion: '',
  inRelease: false,
  state: 'running',
  message: '',
  quota: { cpu: 6, memory: 4 },
  used: { cpu: 1.5, memory: 0.75 },
  serviceNum: 1,
  healthyNum: 1,
  driftNum: 0,
  createdAt: '2026-01-02T03:04:05Z',
  revision: 'r1',
  ...change,
})

export const service = (change: Partial<ServiceDetail> = {}): ServiceDetail => ({
  id: 5,
  stackId: 1,
  stackUuid,
  stackName: 'shop',
  teamId: 1,
  envId: env,
  name: 'web',
  type: 'business',
  workload: 'deployment',
  state: 'stable',
  message: '',
  image: 'nginx:1.29',
  digest: 'sha256:b9bad555feb190731c50c86f787a54cb0fba82b55887b2d2f02f0ea72866cfc4',
  replicas: 2,
  ready: 2,
  revision: 3,
  live: { state: 'live', since: null },
  addresses: [{ name: 'tcp-80', url: 'http://web.default-shop.svc:80', external: false }],
  createdAt: '2026-01-02T03:04:05Z',
  updatedAt: '2026-01-02T03:04:05Z',
  changedBy: 'ada',
  drift: 0,
  spec: ServiceSpec.parse({ image: 'nginx:1.29', replicas: 2 }),
  previous: null,
  copy: null,
  scaling: null,
  takes: { cpu: 1.5, memory: 0.75 },
  revisions: [],
  ...change,
})

export const container = (change: Partial<Row> = {}): Row => ({
  podId: '0b0f7a3e-0000-4000-8000-000000000003',
  podName: 'web-6d5f8-x2x9k',
  name: 'web',
  role: 'main',
  state: 'running',
  message: '',
  ready: true,
  restarts: 0,
  image: 'nginx:1.29',
  digest: '',
  node: 'node-1',
  ip: '10.0.0.7',
  revision: '3',
  startedAt: '2026-01-02T03:04:05Z',
  ...change,
})

export const listed = <T>(...items: T[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })
