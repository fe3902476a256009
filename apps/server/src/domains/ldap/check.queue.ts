import { z } from 'zod'
import type { Queue } from '../../kernel/jobs/queue.ts'

/** The accounts of one directory are looked up. It is sent again within the minute, so a failure is not repeated. */
export const checkQueue = {
  name: 'ldap-check-server',
  schema: z.object({ ldapId: z.number().int() }),
  retry: { limit: 0, delaySeconds: 0 },
  timeoutSeconds: 120,
} satisfies Queue
