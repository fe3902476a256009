import type { z } from 'zod'
import { Variable } from '@gantry/contract/pipelines/parameters'

/** A row of a form: a blank value is an empty value. */
export const VariableRow = Variable.extend({ value: Variable.shape.value.optional() })
export type VariableRow = z.input<typeof VariableRow>

/** The variables for the server from the rows of a form. Only secrets have a scope. */
export const filled = (rows: readonly VariableRow[] | undefined): Variable[] =>
  (rows ?? []).map(({ name, value = '', secret = false, branches = [], steps = [] }) => ({
    name,
    value,
    secret,
    ...(secret && branches.length > 0 && { branches }),
    ...(secret && steps.length > 0 && { steps }),
  }))
