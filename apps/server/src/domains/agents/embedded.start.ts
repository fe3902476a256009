import { readFile } from 'node:fs/promises'
import type { Start } from '../../http/server.ts'
import { hashToken } from '../../kernel/sessions.ts'
import { putEmbedded } from './agents.store.ts'

/** The product's own agent signs in with the credential that the supervisor wrote for both. */
export const start: Start = {
  order: 20,
  async run(ctx) {
    if (ctx.config.agentTokenFile === undefined) return
    const token = (await readFile(ctx.config.agentTokenFile, 'utf8')).trim()
    await putEmbedded(ctx.db, hashToken(token))
  },
}
