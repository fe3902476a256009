import type { Repository } from '@gantry/contract/pipelines/pipelines'
import { readSshUrl } from '@gantry/contract/pipelines/repository-url'
import { mask } from '@gantry/contract/validators'
import type { CommitFile } from '../../../adapters/git/file.ts'
import type { Ref } from '../../../adapters/git/refs.ts'
import type { WantedFile } from '../../../adapters/git/git.ts'
import type { Repository as Source } from '../../../adapters/git/source.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { firstFew } from '../../../kernel/phrase.ts'
import { openOr } from '../../../kernel/secrets/secrets.ts'
import { withCredential } from '../credentials/credentials.service.ts'
import { changePipelines } from './changes.service.ts'
import { sameHost } from './documents.ts'
import { findPipeline, type StoredPipeline } from './pipelines.store.ts'

const opened = (ctx: Ctx, sealed: string, url: string): string =>
  sealed === '' ? '' : openOr(ctx, sealed, () => new Fault('conflict', 'pipelines-repository-sealed', { url }))

const unsealed = (ctx: Ctx, repository: Repository): Repository => ({
  ...repository,
  password: opened(ctx, repository.password, repository.url),
  privateKey: opened(ctx, repository.privateKey, repository.url),
})

/** A repository with its secrets in plain text: its own, or those of its credential. */
export const openedRepository = (ctx: Ctx, teamId: number, repository: Repository): Promise<Repository> =>
  withCredential(ctx, teamId, unsealed(ctx, repository))

const sourceOf = ({ url, username, password, privateKey, knownHosts }: Omit<Repository, 'branch'>): Source =>
  readSshUrl(url) ? { kind: 'ssh', url, privateKey, knownHosts } : { kind: 'remote', url, username, password }

/** A host key must be pinned by a user who has seen it, never automatically. */
function mustKnowHost({ url, knownHosts }: Repository): void {
  const ssh = readSshUrl(url)
  if (ssh && knownHosts === '') throw new Fault('invalid', 'git-host-key-unknown', { host: ssh.host })
}

/** Connects to a repository with sealed secrets and looks for the branch; throws a fault that names the cause. */
export async function checkBranch(ctx: Ctx, teamId: number, repository: Repository): Promise<void> {
  const { branch } = repository
  mustKnowHost(repository)
  const { branches } = await ctx.ports.git.check(sourceOf(await openedRepository(ctx, teamId, repository)), ctx.signal)
  if (!branches.some(({ name }) => name === branch)) throw branchUnknown(branch, branches)
}

/** Names some existing branches beside the missing one. */
export const branchUnknown = (branch: string, branches: readonly Ref[]): Fault =>
  new Fault('invalid', 'pipelines-branch-unknown', { branch, branches: firstFew(branches.map(({ name }) => name)) })

/** A file of a pipeline's repository, at a commit or the head of a ref; throws a fault that names the cause. */
export async function readRepositoryFile(
  ctx: Ctx,
  { teamId, repository, projectName }: StoredPipeline,
  wanted: WantedFile,
): Promise<CommitFile> {
  if (!repository) throw new Fault('conflict', 'pipelines-file-without-repository', { name: projectName })
  const opened = await openedRepository(ctx, teamId, repository)
  mustKnowHost(opened)
  const source = sourceOf(opened)
  return ctx.ports.git.readFile(source, wanted, ctx.signal)
}

export interface RepositoryCheck {
  repository: Omit<Repository, 'branch'> & { branch?: string | undefined }
  pipelineId?: number | undefined
}

/** The connection check of the form. A masked secret stands for the stored one only if the host is the same. */
export async function checkRepository(ctx: Ctx, teamId: number, given: RepositoryCheck) {
  note(ctx, { object: given.repository.url })
  const source = await givenSource(ctx, teamId, given)
  const { branches, head, hostKey } = await ctx.ports.git.check(source, ctx.signal)
  return {
    branches: namesOf(branches),
    defaultBranch: head ?? '',
    commit: branches.find((ref) => ref.name === head)?.commit ?? '',
    hostKey: hostKey ?? null,
  }
}

/** The names of branches, up to the length of a list. */
export const namesOf = (branches: readonly Ref[]): string[] => branches.slice(0, 1000).map(({ name }) => name)

/** A repository as a form gives it, with the secrets that reach it in plain text. */
export async function givenSource(
  ctx: Ctx,
  teamId: number,
  { repository, pipelineId }: RepositoryCheck,
): Promise<Source> {
  const isMasked = [repository.password, repository.privateKey].includes(mask)
  const stored = isMasked && pipelineId !== undefined ? await findPipeline(ctx.db, pipelineId) : undefined
  if (isMasked && stored?.teamId !== teamId) throw new Fault('missing', 'resource-missing')
  const kept = sameHost(stored?.repository?.url, repository.url) ? stored?.repository : undefined
  const plain = (given: string, sealed: string | undefined) =>
    given === mask ? opened(ctx, sealed ?? '', repository.url) : given
  return sourceOf(
    await withCredential(ctx, teamId, {
      ...repository,
      password: plain(repository.password, kept?.password),
      privateKey: plain(repository.privateKey, kept?.privateKey),
    }),
  )
}

/** Updates the address of a repository that the product itself serves: its origin may differ between starts. */
export const moveRepository = (ctx: Ctx, id: number, url: string): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const { repository } = mustExist(await findPipeline(ctx.db, id, { lock: true }))
    if (!repository || repository.url === url) return
    // a mask would not keep the secret for another host
    await changePipelines(ctx, [{ type: 'set', id, fields: { repository: { ...unsealed(ctx, repository), url } } }])
  })
