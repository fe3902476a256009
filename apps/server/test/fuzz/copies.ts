import { copies } from '@gantry/contract/stacks/copies/copies'
import { revisions } from '@gantry/contract/stacks/revisions/revisions'
import { services } from '@gantry/contract/stacks/services'
import { until } from '../own-namespace.ts'
import type { Thing } from './pool.ts'
import { type Place, type Set } from './story.ts'

interface Upgraded {
  spec: { image: string }
  settled: (states: string[]) => Promise<unknown>
}

/** A service edited in place, upgraded by both kinds of copy, and restored to its first revision. */
export async function upgradeBeside(
  run: Set['run'],
  leader: Place['leader'],
  params: { teamId: number; envId: string; id: number },
  within: Thing,
  { spec, settled }: Upgraded,
): Promise<void> {
  const changed = () => ({ ...spec, arguments: [run.fresh('ours')] })
  await run.make(leader, services.edit, { params, body: changed() }, within)
  await settled(['stable'])
  await run.make(leader, copies.blueGreen, { params, body: { spec: changed() } }, within)
  await settled(['upgraded'])
  await run.make(leader, services.confirm, { params }, within)
  await settled(['stable'])
  const steps = [{ weight: 50 }, { weight: 100 }]
  await run.make(leader, copies.gray, { params, body: { spec: changed(), steps } }, within)
  await until('the first step to stand', async () => {
    const copy = await run.make(leader, copies.grayOf, { params }, within)
    return copy?.waits ? copy : undefined
  })
  await run.make(leader, copies.goOn, { params }, within)
  await settled(['upgraded'])
  await run.make(leader, services.rollBack, { params }, within)
  await settled(['stable'])
  await run.make(leader, revisions.returnTo, { params: { ...params, revision: 1 } }, within)
  await settled(['upgraded'])
  await run.make(leader, services.confirm, { params }, within)
  await settled(['stable'])
}
