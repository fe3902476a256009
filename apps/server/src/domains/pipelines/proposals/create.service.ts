import type { Pipeline, Repository } from '@gantry/contract/pipelines/pipelines'
import { readSshUrl, repositoryHost } from '@gantry/contract/pipelines/repository-url'
import { mustHold } from '../../../identity/access.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { createCredential } from '../credentials/credentials.service.ts'
import { createGroup } from '../groups/groups.service.ts'
import { groupTeam, someGroups } from '../groups/groups.store.ts'
import { sealedRepository } from '../pipelines/documents.ts'
import { createPipeline, type NewPipelineInput } from '../pipelines/pipelines.service.ts'
import { checkBranch } from '../pipelines/repository.service.ts'

interface InTeam extends Omit<NewPipelineInput, 'appId'> {
  appId?: number | undefined
  keepCredential: boolean
}

/**
 * Creates a pipeline with what it needs: a group if the team has none, and a credential of the team for its repository.
 * All or nothing is created, after the repository was reached.
 */
export async function createInTeam(
  ctx: Ctx,
  teamId: number,
  { appId, keepCredential, repository, ...input }: InTeam,
): Promise<Pipeline> {
  if (appId !== undefined && (await groupTeam(ctx.db, appId)) !== teamId) throw new Fault('missing', 'resource-missing')
  if (appId === undefined) await onlyGroup(ctx, teamId)
  if (repository) await checkBranch(ctx, teamId, sealedRepository(ctx, repository, null))
  return inTx(ctx, async (ctx) => {
    const group = appId ?? (await onlyGroup(ctx, teamId)) ?? (await makeGroup(ctx, teamId))
    const kept = repository && keepCredential ? await withKept(ctx, teamId, repository) : repository
    return createPipeline(ctx, { ...input, appId: group, repository: kept }, { known: true })
  })
}

/** The team's only group; undefined if it has none, refused if it has several. */
async function onlyGroup(ctx: Ctx, teamId: number): Promise<number | undefined> {
  const [first, ...others] = await someGroups(ctx.db, teamId, 2)
  if (others.length > 0)
    throw new Fault('invalid', 'pipelines-group-choose', {}, [
      { path: 'appId', key: 'pipelines-group-choose', text: say(ctx.lang, 'pipelines-group-choose') },
    ])
  return first
}

async function makeGroup(ctx: Ctx, teamId: number): Promise<number> {
  await mustHold(ctx, teamId, 'pipeline_group_create')
  return (await createGroup(ctx, teamId, { name: say(ctx.lang, 'pipelines-proposal-group'), description: '' })).id
}

/** The repository with a new credential of the team in place of its own secrets, if it has any. */
async function withKept(ctx: Ctx, teamId: number, repository: Repository): Promise<Repository> {
  const { url, username, password, privateKey } = repository
  const isSsh = readSshUrl(url) !== undefined
  const secret = isSsh ? privateKey : password
  const host = repositoryHost(url)?.toLowerCase()
  if (secret === '' || host === undefined || repository.credentialId !== null) return repository
  await mustHold(ctx, teamId, 'pipeline_credential_operate')
  const kind = isSsh ? 'ssh' : username === '' ? 'token' : 'password'
  const credential = { description: '', kind, host, username: isSsh ? '' : username, secret } as const
  const { id } = await withFreeName(host, (name) => createCredential(ctx, teamId, { ...credential, name }))
  return { ...repository, username: '', password: '', privateKey: '', credentialId: id }
}

/** Further credentials for one host are named by the team itself. */
const maxPerHost = 20

/** Makes it with the first free name of `git.example.org`, `git.example.org-2` … */
async function withFreeName<T>(host: string, make: (name: string) => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `-${n}`
    try {
      return await make(host.slice(0, 50 - end.length) + end)
    } catch (error) {
      if (!(error instanceof Fault) || error.key !== 'credential-name-taken' || n === maxPerHost) throw error
    }
  }
}
