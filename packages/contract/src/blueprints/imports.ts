import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { Amount } from '../quotas/quotas.ts'
import { StackName } from '../stacks/spec.ts'
import { Stack } from '../stacks/stacks.ts'
import { serviceTopic, stacksTopic } from '../stacks/topics.ts'
import { text } from '../validators.ts'
import { ReleasePlan } from './releases.ts'

/** A remark about a place in the text; line and column count from 1. */
export const ImportNote = z.object({
  line: z.number().int(),
  column: z.number().int(),
  /** In the caller's language. */
  text: z.string(),
  /** The service concerned; empty: the whole text, or a part that belongs to no service. */
  service: z.string(),
})
export type ImportNote = z.infer<typeof ImportNote>

/** What an import would create; shown before it is done. */
export const ImportPlan = z.object({
  format: z.enum(['kubernetes', 'compose']).nullable(),
  /** Whether the stack exists already, so that these services are added to it. */
  exists: z.boolean(),
  /** Every service in the text, including those left out. */
  names: z.array(z.string()),
  /** The documents of the services to create, as YAML, secrets masked. */
  services: z.array(z.object({ name: z.string(), document: z.string() })),
  /** Problems that prevent the import of the text or of a service. */
  wrong: z.array(ImportNote),
  /** Lines that cannot be imported, and values that were added. */
  notes: z.array(ImportNote),
  /** Null while there are problems. */
  plan: ReleasePlan.nullable(),
})
export type ImportPlan = z.infer<typeof ImportPlan>

const body = z.strictObject({
  text: z.string().min(1, 'imports-text-required').max(500_000, 'imports-text-too-long'),
  /** Services of the text that are not imported. */
  leaveOut: z.array(z.string().max(253, 'name-too-long')).max(1000, 'list-too-long').default([]),
  /** Used if the stack is created. */
  description: text(1000, 'description-too-long').default(''),
  productId: id.nullable().default(null),
  quota: Amount.default({ cpu: null, memory: null }),
})

const params = z.strictObject({ teamId: id, envId: uuid, stackName: StackName })
const path = '/orchestration/api/:teamId/env/:envId/stacks/:stackName/import' as const
const adds = ['stack_stack_view', 'stack_service_create'] as const
/** Creates the stack if it does not exist. */
const makes = ['stack_stack_create'] as const

export const imports = {
  check: endpoint({
    method: 'POST',
    path: `${path}Check`,
    access: { team: 'teamId', permission: adds },
    asks: makes,
    audit: 'stack.check-import',
    summary: 'What Kubernetes objects or a Compose file would become in a stack, and which lines have no place',
    params,
    body,
    data: ImportPlan,
    topics: [],
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: { team: 'teamId', permission: adds },
    asks: makes,
    audit: 'stack.import',
    summary:
      'Make the services of Kubernetes objects or a Compose file in a stack, which is made where it is not there',
    params,
    body,
    data: Stack,
    topics: [stacksTopic, serviceTopic],
  }),
}
