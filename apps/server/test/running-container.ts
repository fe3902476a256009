import { services } from '@gantry/contract/stacks/services'
import type { ServiceDocument } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import type { z } from 'zod'
import type { sandboxApp } from './sandbox-app.ts'

let made = 0

/** A service of a new team, with pods that run in a sandbox. */
export async function runningContainer(
  { app, newEnvironment }: Pick<Awaited<ReturnType<typeof sandboxApp>>, 'app' | 'newEnvironment'>,
  spec: Partial<z.input<typeof ServiceDocument>> = {},
  { ready = true } = {},
) {
  const team = await app.team()
  const { uuid: envId } = await newEnvironment(`sandbox-${++made}`, team)
  const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name: 'shop', envId } })
  const add = (serviceName: string, more: Partial<z.input<typeof ServiceDocument>> = {}) =>
    team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName },
      body: { image: 'registry.example.test/web:1', ...more },
    })
  const { id } = await add('web', spec)
  const containers = async (id: number) =>
    (await team.leader.call(services.containers, { params: { teamId: team.id, envId, id }, query: { pageSize: -1 } }))
      .items
  const until = (id: number, enough: (items: Awaited<ReturnType<typeof containers>>) => boolean) =>
    eventually(async () => {
      await app.reconcile()
      return containers(id)
    }, enough)
  const items = await until(id, (all) => all.length > 0 && (!ready || all.every((one) => one.ready)))
  const { podId = '', podName = '' } = items[0] ?? {}
  return { team, envId, stack, id, podId, podName, containers: () => containers(id), until, add }
}
