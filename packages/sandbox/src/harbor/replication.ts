import * as storage from '../registry/storage.ts'
import { type Exchange, listIn, answerCreated, notFound, objectIn, reply, type Route, textIn } from './exchange.ts'
import { addProject, type Execution, placeOf, type Policy, projectsOf, type State } from './state.ts'

/** Milliseconds per tag, so that an execution can be stopped. */
const paceMs = 150

/** `1.0`, or several as `{1.0,2.0}`. */
const patternsOf = (pattern: string): string[] =>
  pattern.startsWith('{') ? pattern.slice(1, -1).split(',') : [pattern]

const filterOf = ({ filters }: Policy, type: string): string =>
  filters.find((filter) => filter.type === type)?.value ?? ''

function copyTag(store: storage.Storage, from: string, to: string, tag: string): boolean {
  const found = storage.readManifest(store, from, tag)
  if (!found) return false
  const copy = (manifest: storage.StoredManifest, as: string | undefined): void => {
    const parts = JSON.parse(manifest.content.toString('utf8')) as {
      config?: { digest: string }
      layers?: { digest: string }[]
      manifests?: { digest: string }[]
    }
    for (const { digest } of [...(parts.config ? [parts.config] : []), ...(parts.layers ?? [])])
      storage.linkBlob(store, to, digest)
    for (const { digest } of parts.manifests ?? []) {
      const child = storage.readManifest(store, from, digest)
      if (child) copy(child, undefined)
    }
    storage.putManifest(store, to, manifest, as)
  }
  copy(found, tag)
  return true
}

function start(exchange: Exchange): void {
  const { state, body, storage: store, origin } = exchange
  const policy = state.policies.find(({ id }) => id === body['policy_id'])
  if (!policy) throw notFound(`replication policy ${String(body['policy_id'])}`)
  const tags = patternsOf(filterOf(policy, 'tag'))
  const execution: Execution = {
    id: state.id(),
    policyId: policy.id,
    status: 'InProgress',
    problem: '',
    total: tags.length,
    succeeded: 0,
    failed: 0,
    started: new Date().toISOString(),
    ended: undefined,
  }
  state.executions.push(execution)
  state.save()
  answerCreated(exchange, '/replication/executions', execution.id)
  const target = state.targets.find(({ id }) => id === policy.targetId)
  const within = target !== undefined && new URL(target.url).origin === new URL(origin).origin
  run(state, store, policy, execution, tags, within)
}

function run(
  state: State,
  store: storage.Storage,
  policy: Policy,
  execution: Execution,
  tags: readonly string[],
  within: boolean,
): void {
  const end = (status: Execution['status'], problem = ''): void => {
    Object.assign(execution, { status, problem, ended: new Date().toISOString() })
    state.save()
  }
  if (!within) return end('Failed', 'the simulated Harbor copies within itself only')
  const from = filterOf(policy, 'name')
  const to = `${policy.namespace}/${placeOf(from)?.repository ?? ''}`
  if (!projectsOf(state, store).some(({ name }) => name === policy.namespace))
    addProject(state, policy.namespace, false)
  const step = (at: number): void => {
    if (execution.status !== 'InProgress') return
    const tag = tags[at]
    if (tag === undefined) return end(execution.failed > 0 ? 'Failed' : 'Succeed')
    if (copyTag(store, from, to, tag)) execution.succeeded++
    else execution.failed++
    setTimeout(step, paceMs, at + 1).unref()
  }
  setTimeout(step, paceMs, 0).unref()
}

function executionIn({ state, names }: Exchange): Execution {
  const execution = state.executions.find(({ id }) => id === Number(names[0]))
  if (!execution) throw notFound(`replication execution ${names[0]}`)
  return execution
}

const remove =
  (kind: 'targets' | 'policies') =>
  (exchange: Exchange): void => {
    const list: { id: number }[] = exchange.state[kind]
    const at = list.findIndex(({ id }) => id === Number(exchange.names[0]))
    if (at < 0) throw notFound(`${kind} ${exchange.names[0]}`)
    list.splice(at, 1)
    exchange.state.save()
    reply(exchange, 200)
  }

export const replicationRoutes: Route[] = [
  [
    'POST',
    /^\/registries$/,
    (exchange) => {
      const { state, body } = exchange
      const target = {
        id: state.id(),
        name: textIn(body['name']),
        url: textIn(body['url']),
        type: textIn(body['type']),
        insecure: body['insecure'] === true,
        account: textIn(objectIn(body['credential'])['access_key']),
        created: new Date().toISOString(),
      }
      state.targets.push(target)
      state.save()
      answerCreated(exchange, '/registries', target.id)
    },
  ],
  ['DELETE', /^\/registries\/(\d+)$/, remove('targets')],
  [
    'POST',
    /^\/replication\/policies$/,
    (exchange) => {
      const { state, body } = exchange
      const policy: Policy = {
        id: state.id(),
        name: textIn(body['name']),
        targetId: Number(objectIn(body['dest_registry'])['id']),
        namespace: textIn(body['dest_namespace']),
        filters: listIn(body['filters']).map((filter) => ({
          type: textIn(objectIn(filter)['type']),
          value: textIn(objectIn(filter)['value']),
        })),
        created: new Date().toISOString(),
      }
      state.policies.push(policy)
      state.save()
      answerCreated(exchange, '/replication/policies', policy.id)
    },
  ],
  ['DELETE', /^\/replication\/policies\/(\d+)$/, remove('policies')],
  ['POST', /^\/replication\/executions$/, start],
  [
    'GET',
    /^\/replication\/executions\/(\d+)$/,
    (exchange) => {
      const { id, policyId, status, problem, total, succeeded, failed, started, ended } = executionIn(exchange)
      reply(exchange, 200, {
        id,
        policy_id: policyId,
        status,
        status_text: problem,
        trigger: 'manual',
        total,
        succeed: succeeded,
        failed,
        in_progress: status === 'InProgress' ? total - succeeded - failed : 0,
        stopped: status === 'Stopped' ? total - succeeded - failed : 0,
        start_time: started,
        ...(ended !== undefined && { end_time: ended }),
      })
    },
  ],
  [
    'PUT',
    /^\/replication\/executions\/(\d+)$/,
    (exchange) => {
      const execution = executionIn(exchange)
      if (execution.status === 'InProgress')
        Object.assign(execution, { status: 'Stopped', ended: new Date().toISOString() })
      exchange.state.save()
      reply(exchange, 200)
    },
  ],
]
