import { teamPrefix } from '@gantry/contract/images/registry-token'
import type { Proposal } from '@gantry/contract/pipelines/editing/proposals'
import { repositoryName } from '@gantry/contract/pipelines/repository-url'
import type { Ref, RepositoryRefs } from '../../../adapters/git/refs.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { listImagesForJobs } from '../../build-images/public.ts'
import { registriesOf } from '../../images/public.ts'
import { demandsOf } from '../lint/lint.read.ts'
import { branchUnknown, givenSource, namesOf, type RepositoryCheck } from '../pipelines/repository.service.ts'
import { definitionOf, type TeamMeans } from './compose.ts'
import { detect } from './detect.ts'
import { agreement, type Finding } from './finding.ts'
import { manifestsOf } from './tree.ts'

/** Reads the names of a repository's files and a few manifests, and proposes pipelines for what it finds. */
export async function lookAtRepository(ctx: Ctx, teamId: number, repository: RepositoryCheck['repository']) {
  note(ctx, { object: repository.url })
  const source = await givenSource(ctx, teamId, { repository })
  const refs = await ctx.ports.git.check(source, ctx.signal)
  const { name: branch, commit } = branchOf(refs, repository.branch ?? '')
  const hostKey = refs.hostKey ?? null
  // the second connection must reach the same host as the first
  const known = source.kind === 'ssh' && hostKey ? { ...source, knownHosts: hostKey.knownHosts } : source
  const tree = await ctx.ports.git.readTree(known, commit, manifestsOf, ctx.signal)
  return {
    branches: namesOf(refs.branches),
    branch,
    commit,
    hostKey,
    isCut: tree.isCut,
    proposals: await proposed(ctx, teamId, repository.url, detect(tree)),
  }
}

/** The named branch, else the default one; the first branch if the default does not exist. */
function branchOf({ branches, head }: RepositoryRefs, named: string): Ref {
  const wanted = named || (head ?? '')
  const found = branches.find(({ name }) => name === wanted)
  if (!found && named !== '') throw branchUnknown(named, branches)
  const chosen = found ?? branches[0]
  if (!chosen) throw new Fault('invalid', 'git-empty')
  return chosen
}

/** An image name from that of the repository: `shop` for `https://git.example.org/team/Shop.git`. */
const imageName = (url: string): string =>
  repositoryName(url)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100) || 'app'

async function proposed(ctx: Ctx, teamId: number, url: string, findings: readonly Finding[]): Promise<Proposal[]> {
  const { agents } = await demandsOf(ctx.db, { teamId, agentLabels: [], parameters: [] })
  const executor = (['container', 'kubernetes'] as const).find((one) =>
    agents.some(({ osType, executors }) => osType === 'linux' && executors.includes(one)),
  )
  const images = executor === undefined ? [] : await listImagesForJobs(ctx.db, teamId)
  // the project of a Harbor has to be chosen by a user
  const registries = (await registriesOf(ctx.db, teamId)).filter(({ harborId }) => harborId === null)
  const own = registries.find(({ sandbox }) => !sandbox)
  const any = own ?? registries[0]
  return findings.map((finding) => {
    const fitting = images.filter(({ image, clusters }) => clusters.length === 0 && fits(finding, image))
    const { version } = finding.image
    const [image] = fitting.toSorted((a, b) => agreement(version, tagOf(b.image)) - agreement(version, tagOf(a.image)))
    // in addition to a language, an image is only pushed to a registry of the team's own
    const registry = finding.kind === 'dockerfile' ? any : own
    const pushesTo: TeamMeans['pushesTo'] = registry && {
      registryId: registry.id,
      repository: (registry.sandbox ? teamPrefix(teamId) : '') + imageName(url),
    }
    const { kind, folder, because, language, tests } = finding
    return {
      kind,
      folder,
      because,
      language,
      tests,
      buildImage: image?.name ?? '',
      lacksRegistry: finding.dockerfile !== undefined && registry === undefined,
      definition: definitionOf(finding, {
        say: (key) => say(ctx.lang, key),
        runsIn: image && executor && { image: image.id, executor },
        pushesTo,
      }),
    }
  })
}

const tagOf = (image: string): string => /:([^/:@]+)(@|$)/.exec(image)?.[1] ?? ''

/** Whether an image fits a finding, by its path without host and tag. */
const fits = ({ image: { path } }: Finding, image: string): boolean =>
  path.test(image.replace(/^[^/]*[.:][^/]*\//, '').replace(/[:@].*$/, ''))
