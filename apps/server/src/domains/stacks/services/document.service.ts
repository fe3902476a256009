import { entriesOf } from '@gantry/contract/stacks/outward'
import { type ServiceSpec, typeOf } from '@gantry/contract/stacks/spec'
import { workloadKinds } from '@gantry/contract/stacks/spec-run'
import type { Ctx } from '../../../kernel/context.ts'
import { slotsAfter } from '../../../kernel/cron.ts'
import { Fault } from '../../../kernel/fault.ts'
import { mustHold } from '../../../identity/access.ts'
import { mustConfigure } from '../../config-centre/public.ts'
import { mustBeOpen } from '../../clusters/public.ts'
import { refuseOthersImage, usableRegistry } from '../../images/public.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { claimsOf, foldersOf } from './objects/storage.ts'
import { type ServiceRow, servicesOf } from './services.store.ts'

/** The registries of the team whose passwords its images need, each once. */
export const registriesOf = ({ registryId, containers = [] }: ServiceSpec): number[] => [
  ...new Set([registryId, ...containers.map((one) => one.registryId)].filter((id) => id !== null)),
]

const kindOf = ({ workload = 'deployment' }: ServiceSpec) => workloadKinds[workload]

/** Refuses changes of what Kubernetes does not let change. */
function mustStay(name: string, given: ServiceSpec, current: ServiceSpec): void {
  const [was, is] = [kindOf(current), kindOf(given)]
  if (was !== is) throw new Fault('conflict', 'stacks-workload-fixed', { name, was, is })
  const claims = (spec: ServiceSpec) =>
    JSON.stringify(claimsOf(spec).map((claim) => [claim.name, claim.size, claim.storageClass, claim.access]))
  if (is === 'StatefulSet' && claims(given) !== claims(current))
    throw new Fault('conflict', 'stacks-claims-fixed', { name })
}

/** Checks names against the services of the stack: some must differ, and others must exist. */
function mustFitAmong(
  stack: StackRow,
  services: readonly ServiceRow[],
  name: string,
  given: ServiceSpec,
  planned: readonly string[],
): void {
  const others = services.filter((one) => one.name !== name)
  const names = new Set([name, ...planned, ...others.map((one) => one.name)])
  const taken = given.volumes?.find((volume) => names.has(volume.name))
  if (taken) throw new Fault('conflict', 'stacks-volume-named-as-service', { name: taken.name, stack: stack.name })
  const holder = others.find(({ spec }) => spec.volumes?.some((volume) => volume.name === name))
  if (holder) throw new Fault('conflict', 'stacks-service-named-as-volume', { name, service: holder.name })
  const { beside = [], apart = [] } = given.placement ?? {}
  const unknown = [...beside, ...apart].find((one) => !names.has(one))
  if (unknown !== undefined)
    throw new Fault('conflict', 'stacks-neighbour-unknown', { name: unknown, stack: stack.name })
}

/** The targets of ways in must be services of the stack that have the port. */
function mustLead(
  stack: StackRow,
  services: readonly ServiceRow[],
  name: string,
  { outward }: ServiceSpec,
  planned: readonly string[],
): void {
  const known = new Map(services.map((one) => [one.name, one.spec]))
  for (const { targets, family } of entriesOf(outward))
    for (const { service, port } of targets) {
      const spec = known.get(service)
      if (!spec && planned.includes(service) && service !== name) continue
      if (!spec || service === name || entriesOf(spec.outward).length > 0)
        throw new Fault('conflict', 'outward-target-unknown', { name: service, stack: stack.name })
      const isOpen = (spec.outward?.type === 'external' ? spec.outward.ports : spec.ports).some(
        (one) => one.port === port && (one.protocol === 'UDP') === (family === 'udp'),
      )
      if (!isOpen) throw new Fault('conflict', 'outward-target-port', { name: service, port })
      // its DNS name may later resolve to any address, even one of the cluster
      if (spec.outward?.type === 'external' && (spec.outward.dns !== undefined || family === 'tcp' || family === 'udp'))
        throw new Fault('conflict', 'outward-target-external', { name: service })
    }
}

/**
 * Throws if a document cannot run now, by rules that need existing objects. `current` is the document that it replaces;
 * `planned` are services that are created together with it.
 */
export async function mustRun(
  ctx: Ctx,
  stack: StackRow,
  name: string,
  given: ServiceSpec,
  { current, planned = [] }: { current?: ServiceSpec; planned?: readonly string[] } = {},
): Promise<void> {
  if (current && typeOf(current) !== typeOf(given)) throw new Fault('conflict', 'outward-type-fixed', { name })
  const services = await servicesOf(ctx.db, stack.id)
  mustLead(stack, services, name, given, planned)
  for (const id of registriesOf(given)) await usableRegistry(ctx, stack.teamId, id)
  for (const { image } of [given, ...(given.containers ?? [])]) await refuseOthersImage(ctx, stack.teamId, image)
  if (given.containers?.some((one) => one.name === name))
    throw new Fault('invalid', 'stacks-container-named-as-service', { name })
  if (given.schedule) slotsAfter(given.schedule, new Date())
  if (given.autoscaling) slotsAfter({ cron: '0 0 * * *', zone: given.autoscaling.zone }, new Date())
  if (current) mustStay(name, given, current)
  // a container shows the secrets that it gets, so naming a configuration needs the permission to view it
  if (given.configuration && JSON.stringify(given.configuration) !== JSON.stringify(current?.configuration))
    await mustHold(ctx, stack.teamId, 'config_project_view')
  await mustConfigure(ctx, stack.teamId, given, name, { lock: true })
  await mustBeOpen(ctx, stack, foldersOf(given))
  mustFitAmong(stack, services, name, given, planned)
}
