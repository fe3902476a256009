import { createHash, timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import { rightsIn } from '../../identity/access.ts'
import { findApiToken, tokenKind } from '../../identity/sessions.ts'
import { findSample } from './sample.store.ts'
import { repositoryOf } from './sample.service.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The password of `Basic …`; any user name is accepted, as is usual with tokens. */
function passwordOf(header: string | undefined): string {
  const basic = /^Basic ([A-Za-z0-9+/]{1,400}={0,2})$/i.exec(header ?? '')?.[1] ?? ''
  const text = Buffer.from(basic, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}

/** Whether it is an API token of the team that may see its pipelines, as its creator may. Sessions are not accepted. */
async function isMembers(ctx: Ctx, teamId: number, password: string): Promise<boolean> {
  if (tokenKind(password) !== 'api') return false
  const caller = await findApiToken(ctx.db, password)
  const rights = caller && (await rightsIn({ db: ctx.db, actor: caller.actor }, teamId))
  return rights !== undefined && (rights.leader || rights.permissions.has('pipeline_pipeline_view'))
}

/**
 * A file of a team's sample repository, for its password, which the builds have, or an API token of the team. All
 * others get the same refusal, whether the repository exists or not; a file that git never requests is 404.
 */
export async function readRepositoryFile(
  ctx: Ctx,
  teamId: number,
  file: string,
  authorization: string | undefined,
): Promise<{ size: number; body: Readable }> {
  const row = await findSample(ctx.db, teamId)
  const wanted = row ? open(ctx, row.password) : ''
  const given = passwordOf(authorization)
  const opens = wanted !== '' && timingSafeEqual(digest(wanted), digest(given))
  if (!row || !(opens || (await isMembers(ctx, teamId, given))))
    throw new Fault('unauthenticated', 'sample-repository-password', { realm: 'git' })
  return ctx.ports.repositories.read(repositoryOf(teamId), file)
}
