import { containers } from '@gantry/contract/stacks/containers/containers'
import { drift } from '@gantry/contract/stacks/drift'
import { dryRuns } from '@gantry/contract/stacks/preview/dry-run'
import { services } from '@gantry/contract/stacks/services'
import { until } from '../own-namespace.ts'
import { upgradeBeside } from './copies.ts'
import type { Thing } from './pool.ts'
import { type Place, type Set } from './story.ts'

/** Terminal and logs of a running pod. */
export async function lookInside(
  { run }: Set,
  { side, leader, team }: Place,
  within: Thing,
  id: number,
): Promise<void> {
  const envId = String(within.values.env)
  const pod = await until('a pod that runs', async () => {
    const { items } = await run.make(leader, services.containers, { params: { teamId: team, envId, id } }, within)
    return items.find(({ ready, state }) => ready && state !== 'terminating')
  })
  const inPod: Thing = { side, values: { ...within.values, pod: pod.podId, container: pod.name } }
  run.pool.add(inPod)
  await run.make(leader, containers.execute, { params: { teamId: team, envId, id: pod.podId } }, inPod)
  const params = { teamId: team, envId, podId: pod.podId, name: pod.name }
  await run.make(leader, containers.log, { params, query: {} }, inPod)
  await run.make(leader, containers.logFile, { params, query: {} }, inPod)
}

/** An upgrade that is confirmed and one that is cancelled, with every action of a service. */
export async function upgrade(
  { run }: Set,
  { leader, team }: Place,
  within: Thing,
  spec: { image: string },
): Promise<void> {
  const { env, service, stack, serviceName, stackName } = within.values
  const one = { teamId: team, envId: String(env), id: Number(service) }
  const settled = (states: string[]) =>
    until(`the service to be ${states}`, async () => {
      const { state } = await run.make(leader, services.brief, { params: one }, within)
      return states.includes(state) ? state : undefined
    })
  await settled(['stable'])
  const params = { teamId: team, stackId: Number(stack), serviceName: String(serviceName) }
  await run.make(leader, dryRuns.create, { params: { ...params, serviceName: run.fresh('ours') }, body: spec }, within)
  await run.make(leader, dryRuns.upgrade, { params, body: spec }, within)
  await run.make(leader, services.update, { params, body: { ...spec, arguments: [run.fresh('ours')] } }, within)
  await settled(['upgraded'])
  await run.make(leader, services.confirm, { params: one }, within)
  await settled(['stable'])
  await run.make(leader, services.update, { params, body: { ...spec, arguments: [run.fresh('ours')] } }, within)
  await settled(['upgraded'])
  await run.make(leader, services.rollBack, { params: one }, within)
  await settled(['stable'])
  // never ready, because an upgrade that is can only be confirmed or rolled back
  const readiness = { type: 'command' as const, command: ['true'], delaySeconds: 3600 }
  const changed = { ...spec, arguments: [run.fresh('ours')], readiness }
  await run.make(leader, services.upgrade, { params: one, query: {}, body: changed }, within)
  await run.make(leader, services.cancel, { params: one }, within)
  await settled(['stable'])
  await run.make(leader, drift.get, { params: one }, within)
  await run.make(leader, services.scale, { params: one, query: { replicas: 2 } }, within)
  await settled(['stable'])
  const restart = { teamId: team, envId: String(env), stackName: String(stackName) }
  await run.make(leader, services.restart, { params: restart, body: [String(serviceName)] }, within)
  await settled(['stable'])
  await upgradeBeside(run, leader, one, within, { spec, settled })
}
