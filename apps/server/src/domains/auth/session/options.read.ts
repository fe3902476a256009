import { sql } from 'kysely'
import type { z } from 'zod'
import type { session } from '@gantry/contract/auth/session'
import type { Ctx } from '../../../kernel/context.ts'

/** What a visitor sees before signing in. The OAuth and host settings are documents of their own domains. */
export async function optionsOf({ config, db }: Ctx): Promise<z.input<typeof session.options.data>> {
  const [settings] = await db
    .selectNoFrom([
      sql<
        string | null
      >`(select value ->> 'name' from setting where name = 'oauth' and value -> 'enabled' = 'true')`.as('oauth'),
      sql<string | null>`(select value ->> 'notice' from setting where name = 'host')`.as('notice'),
    ])
    .execute()
  return {
    productName: config.product.name,
    version: config.product.version,
    registration: config.registration,
    oauth: settings?.oauth ? { name: settings.oauth } : null,
    notice: settings?.notice ?? '',
    sandbox: config.sandbox,
  }
}
