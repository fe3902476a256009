import { pods } from '@gantry/contract/clusters/pods'
import { jsonb } from '../src/db/json.ts'
import { seal } from '../src/kernel/secrets/secrets.ts'
import type { TestApp, TestCaller } from './test-app.ts'
import { watchedApi } from './watched-api.ts'

interface Made {
  namespace?: string
  node?: string
  ip?: string
  cpu?: string
  restarts?: number
  ready?: boolean
  waiting?: string
  created?: string
  labels?: Record<string, string>
}

/** A pod in the cluster's format. */
export const podObject = (name: string, made: Made = {}) => ({
  metadata: {
    name,
    namespace: made.namespace ?? 'default',
    creationTimestamp: made.created ?? '2026-01-01T00:00:00Z',
    labels: made.labels ?? {},
  },
  spec: {
    nodeName: made.node ?? 'n1',
    containers: [
      { name: 'main', image: 'web:1', resources: { requests: { cpu: made.cpu ?? '100m', memory: '64Mi' } } },
    ],
  },
  status: {
    phase: 'Running',
    podIP: made.ip ?? '10.0.0.1',
    containerStatuses: [
      {
        name: 'main',
        ready: made.ready ?? true,
        restartCount: made.restarts ?? 0,
        state: made.waiting ? { waiting: { reason: made.waiting } } : { running: {} },
      },
    ],
  },
})

type Kinds = Parameters<typeof watchedApi>[0]

let clusters = 0
/** A cluster of these teams with the objects for `watchedApi`, and its own API server. */
export async function watchedCluster(app: TestApp, teams: readonly { id: number }[], kinds: Kinds) {
  const api = await watchedApi({ pods: [], events: [], nodes: [], persistentvolumes: [], ...kinds })
  const { uuid } = await app.db
    .insertInto('environment')
    .values({
      name: `cluster-${++clusters}`,
      description: '',
      server: api.address.server,
      address: seal(app.ctx(), JSON.stringify(api.address)),
      cluster: api.uid ?? null,
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  for (const { id } of teams)
    await app.db.insertInto('environment_team').values({ environment: uuid, team_id: id }).execute()
  /** A stack with this namespace and a service `web`. */
  const stack = async (team: { id: number }, namespace: string) => {
    const { id } = await app.db
      .insertInto('stack')
      .values({ team_id: team.id, environment: uuid, name: namespace, namespace, actor: 'admin', state: 'running' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const service = await app.db
      .insertInto('service')
      .values({ stack_id: id, name: 'web', state: 'stable', spec: jsonb({ image: 'web:1' }), actor: 'admin' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, service: service.id }
  }
  const page = (query: object = {}, who: TestCaller = app.admin) =>
    who.call(pods.list, { params: { env: uuid }, query })
  const names = async (query: object = {}, who?: TestCaller) => (await page(query, who)).items.map(({ name }) => name)
  return { api, uuid, stack, page, names }
}
