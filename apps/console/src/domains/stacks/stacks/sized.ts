import { type Sized, sizedParts } from '@gantry/contract/stacks/demand'
import { ServiceDocument } from '@gantry/contract/stacks/spec'
import { withoutBlanks } from '../../../ui/form/problems.ts'

/** The fields that decide a service's size, from a form; undefined while they are invalid. */
export function sizedOf(values: unknown): Sized | undefined {
  const given = (withoutBlanks(values) ?? {}) as Record<string, unknown>
  const sized: Record<string, unknown> = {}
  for (const part of sizedParts) {
    const result = ServiceDocument.shape[part].safeParse(given[part])
    if (!result.success) return undefined
    sized[part] = result.data
  }
  // each part was parsed by its schema
  return sized as Sized
}
