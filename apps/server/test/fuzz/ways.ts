import { services } from '@gantry/contract/stacks/services'
import { ways } from '@gantry/contract/stacks/ways'
import { until } from '../own-namespace.ts'
import type { Thing } from './pool.ts'
import { type Place, type Set } from './story.ts'

/** A load balancer in front of the running service, and the calls about it. */
export async function openWay({ run }: Set, { leader, team }: Place, { side, values }: Thing): Promise<void> {
  const rule = (port: number) => ({
    name: run.fresh(side),
    protocol: 'TCP' as const,
    port,
    targets: [{ service: String(values.serviceName), port: 8080 }],
  })
  const { id, name } = await run.make(
    leader,
    services.create,
    {
      params: { teamId: team, stackId: Number(values.stack), serviceName: run.fresh(side) },
      body: { outward: { type: 'lb', rules: [rule(9_000)] } },
    },
    { side, values },
  )
  const ofIt = { ...values, service: id, serviceName: name, serviceAndType: `${id}_business` }
  const within: Thing = { side, values: ofIt }
  const params = { teamId: team, envId: String(values.env), id }
  const settled = () =>
    until('the load balancer', async () => {
      const { state } = await run.make(leader, services.brief, { params }, within)
      return state === 'stable' || undefined
    })
  await settled()
  await run.make(leader, ways.lb, { params }, within)
  await run.make(leader, ways.setLb, { params, body: { rules: [rule(9_001)] } }, within)
  await settled()
  await run.make(leader, ways.check, { params }, within)
  await run.make(leader, ways.detail, { params, query: {} }, within)
}
