import { type Sized, sizedParts } from '@gantry/contract/stacks/demand'
import { ServiceDocument } from '@gantry/contract/stacks/spec'
import { withoutBlanks } from '../../../ui/form/problems.ts'

/** What decides the size of a service, out of a form that is being filled in; undefined while it is not yet right. */
export function sizedOf(values: unknown): Sized | undefined {
  const given = (withoutBlanks(values) ?? {}) as Record<string, unknown>
  const sized: Record<string, unknown> = {}
  for (const part of sizedParts) {
    const result = ServiceDocument.shape[part].safeParse(given[part])
    if (!result.success) return undefined
    sized[part] = result.data
  }
  // each part is what its schema says
  return sized as Sized
}
