import { entriesOf } from '@gantry/contract/stacks/outward'
import { stringify } from 'yaml'
import { annotations } from '../../../adapters/kube/labels.ts'
import type { KubeObject } from '../../../adapters/kube/objects.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { noEntrance } from '../outward/entrance.service.ts'
import { namespaceObject, networkPolicy, placeOf, resourceQuota } from '../reconcile/namespace-objects.ts'
import { findStack, type StackKey } from '../stacks/stacks.store.ts'
import { beyondObjects } from './beyond-objects.ts'
import { openingOf } from './objects/routes.ts'
import type { ServiceOf } from './objects/service-objects.ts'
import { type ServiceRow, servicesOf } from './services.store.ts'
import { workloadOf } from './types/workload-types.ts'

const isSecret = ({ kind }: KubeObject): boolean => kind === 'Secret'

/** Ways in as most clusters support them: as an Ingress or, if that cannot express them all, as gateway routes. */
function entranceOf({ spec: { outward } }: Pick<ServiceRow, 'spec'>): Pick<ServiceOf, 'entrance'> {
  if (!outward || outward.type === 'external') return {}
  const ingress = { ...noEntrance, way: 'ingress' as const, group: outward.group ?? '' }
  const isSaid = entriesOf(outward).every((entry) => openingOf(entry, ingress) !== undefined)
  return { entrance: isSaid ? ingress : { ...ingress, way: 'gateway' } }
}

/** Each object as a document of the text, preceded by notes on those that were left out. */
export function serviceTexts(
  of: ServiceOf,
  service: Pick<ServiceRow, 'type' | 'spec' | 'requires'>,
  note: (text: string) => string,
): string[] {
  const type = workloadOf(service)
  const made = type
    .objects({ ...of, ...entranceOf(service) }, service.spec)
    .flatMap(({ resource, object }) => (object ? [{ resource, object }] : []))
  const beyond = beyondObjects(service)
  const visible = made.filter(({ object }) => !isSecret(object))
  // the object for what Kubernetes cannot express: the workload, else the last one
  const marked = visible.find(({ resource }) => resource === type.resource) ?? visible.at(-1)
  let notes = made
    .filter(({ object }) => isSecret(object))
    .map(({ object }) =>
      note(`${object.metadata?.name}: ${Object.keys((object as { data?: object }).data ?? {}).join(', ')}`),
    )
  return visible.map((one) => {
    const object = one === marked && beyond ? withNote(one.object, JSON.stringify(beyond)) : one.object
    const text = [...notes, stringify(object, { aliasDuplicateObjects: false })].join('')
    notes = []
    return text
  })
}

const withNote = (object: KubeObject, document: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata?.annotations, [annotations.document]: document } },
})

/** The objects of a stack to be applied by kubectl, without the values of secrets. */
export async function stackYaml(ctx: Ctx, key: StackKey): Promise<{ yaml: string }> {
  const stack = mustExist(await findStack(ctx.db, key))
  const of = placeOf(stack)
  const services = await servicesOf(ctx.db, stack.id)
  const leftOut = (secret: string) => `# ${say(ctx.lang, 'stacks-yaml-secret-left-out', { secret })}\n`
  const texts = [
    ...[namespaceObject(of), resourceQuota(of, stack), networkPolicy(of)].map((object) => stringify(object)),
    ...services.flatMap((service) => serviceTexts({ ...of, ...service }, service, leftOut)),
  ]
  return { yaml: texts.join('---\n') }
}
