import { type Sized, SizedSpec } from '@gantry/contract/stacks/demand'
import { withoutBlanks } from '../../../ui/form/problems.ts'

/** The fields that decide a service's size, from a form; undefined while they are invalid. */
export const sizedOf = (values: unknown): Sized | undefined => SizedSpec.safeParse(withoutBlanks(values) ?? {}).data
