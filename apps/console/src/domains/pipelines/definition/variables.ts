import type { z } from 'zod'
import { Variable } from '@gantry/contract/pipelines/parameters'

/** A row of a form: one whose value was left blank has the empty value. */
export const VariableRow = Variable.extend({ value: Variable.shape.value.optional() })
export type VariableRow = z.input<typeof VariableRow>

/** What the server is sent for the rows of a form. The scope is a secret's. */
export const filled = (rows: readonly VariableRow[] | undefined): Variable[] =>
  (rows ?? []).map(({ name, value = '', secret = false, branches = [], steps = [] }) => ({
    name,
    value,
    secret,
    ...(secret && branches.length > 0 && { branches }),
    ...(secret && steps.length > 0 && { steps }),
  }))
