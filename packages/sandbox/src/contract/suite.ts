import type { Case } from './trial.ts'
import { verbCases } from './verbs.ts'

/** What the sandbox and a real cluster must both do. */
export const suite: Record<string, Case[]> = {
  'verbs × kinds': verbCases,
}
