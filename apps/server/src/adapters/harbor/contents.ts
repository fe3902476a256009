import { z } from 'zod'
import {
  type AskHarbor,
  type Counted,
  fuzzy,
  type HarborAccess,
  parsed,
  part,
  slice,
  type Slice,
  twice,
} from './session.ts'

export interface Repository {
  /** The name, including the project's. */
  name: string
  description: string
  artifacts: number
  pulls: number
  createdAt: string | null
  updatedAt: string | null
}

export interface Artifact {
  digest: string
  type: string
  size: number
  tags: { name: string; immutable: boolean; pushedAt: string | null }[]
  /** Digests and platforms of the images that an index names. */
  children: { digest: string; platform: string }[]
  platforms: string[]
  pushedAt: string | null
  pulledAt: string | null
}

interface ScanOverview {
  state: 'none' | 'waiting' | 'running' | 'done' | 'failed'
  severity: string
  total: number
  fixable: number
  bySeverity: Record<string, number>
  endedAt: string | null
}

/** A vulnerability that a scan found in a package of an image, in the scanner's words. */
interface Finding {
  id: string
  severity: string
  package: string
  version: string
  fixedIn: string
  description: string
  links: string[]
}

interface ScanReport {
  scanner: string
  at: string | null
  findings: Finding[]
}

/** A repository by its project and its path within the project. */
export interface RepositoryPlace {
  project: string
  repository: string
}

interface ArtifactListing extends Slice {
  /** Part of a tag's name. */
  keyword: string
  tag?: string | undefined
  digest?: string | undefined
  signal?: AbortSignal | undefined
}

export interface Contents {
  repositories(
    access: HarborAccess,
    project: string,
    listing: Slice & { keyword: string; signal?: AbortSignal | undefined },
  ): Promise<Counted<Repository>>
  removeRepository(access: HarborAccess, place: RepositoryPlace): Promise<void>
  /** The newest artifacts first. */
  artifacts(access: HarborAccess, place: RepositoryPlace, listing: ArtifactListing): Promise<Counted<Artifact>>
  artifact(access: HarborAccess, place: RepositoryPlace, reference: string, signal?: AbortSignal): Promise<Artifact>
  removeArtifact(access: HarborAccess, place: RepositoryPlace, digest: string): Promise<void>
  /** Removes the tag only; the image stays, even without any tag. */
  removeTag(access: HarborAccess, place: RepositoryPlace, tag: string): Promise<void>
  history(
    access: HarborAccess,
    place: RepositoryPlace,
    reference: string,
    signal?: AbortSignal,
  ): Promise<{ createdAt: string | null; createdBy: string; empty: boolean }[]>
  scanOverview(
    access: HarborAccess,
    place: RepositoryPlace,
    digest: string,
    signal?: AbortSignal,
  ): Promise<ScanOverview>
  /** An image that was never scanned is reported as missing, like one that does not exist. */
  scanReport(access: HarborAccess, place: RepositoryPlace, digest: string, signal?: AbortSignal): Promise<ScanReport>
  /** Requests a scan and returns without waiting for it. */
  scan(access: HarborAccess, place: RepositoryPlace, digest: string): Promise<void>
}

const time = z.string().nullish()

/** Harbor writes the year 1 for "never". */
const moment = (value: string | null | undefined): string | null =>
  value === null || value === undefined || value.startsWith('0001-') ? null : value

const WireRepository = z
  .object({
    name: z.string(),
    description: z.string().nullish(),
    artifact_count: z.number().int().nullish(),
    pull_count: z.number().int().nullish(),
    creation_time: time,
    update_time: time,
  })
  .transform((repository): Repository => ({
    name: repository.name,
    description: repository.description ?? '',
    artifacts: repository.artifact_count ?? 0,
    pulls: repository.pull_count ?? 0,
    createdAt: moment(repository.creation_time),
    updatedAt: moment(repository.update_time),
  }))

const Platform = z.object({
  os: z.string().nullish(),
  architecture: z.string().nullish(),
  variant: z.string().nullish(),
})
const platformOf = ({ os, architecture, variant }: z.infer<typeof Platform>): string =>
  [os, architecture, variant].filter((word) => word !== undefined && word !== null && word !== '').join('/')

const Tag = z.object({ name: z.string(), immutable: z.boolean().nullish(), push_time: time })
const WireArtifact = z
  .object({
    digest: z.string(),
    type: z.string().nullish(),
    size: z.number().nullish(),
    tags: z.array(Tag).nullish(),
    references: z.array(z.object({ child_digest: z.string(), platform: Platform.nullish() })).nullish(),
    extra_attrs: z.record(z.string(), z.unknown()).nullish(),
    push_time: time,
    pull_time: time,
  })
  .transform((artifact): Artifact => {
    const children = (artifact.references ?? []).map(({ child_digest, platform }) => ({
      digest: child_digest,
      platform: platform ? platformOf(platform) : '',
    }))
    const own = Platform.safeParse(artifact.extra_attrs ?? {})
    const single = own.success ? platformOf(own.data) : ''
    return {
      digest: artifact.digest,
      type: artifact.type ?? '',
      size: artifact.size ?? 0,
      tags: (artifact.tags ?? []).map(({ name, immutable, push_time }) => ({
        name,
        immutable: immutable === true,
        pushedAt: moment(push_time),
      })),
      children,
      // attestations are listed as children with an unknown platform
      platforms: [...children.map(({ platform }) => platform), single].filter(
        (platform) => platform !== '' && !platform.startsWith('unknown'),
      ),
      pushedAt: moment(artifact.push_time),
      pulledAt: moment(artifact.pull_time),
    }
  })

const History = z.array(
  z.object({ created: time, created_by: z.string().nullish(), empty_layer: z.boolean().nullish() }),
)

const ScanSummary = z.object({
  scan_status: z.string().nullish(),
  severity: z.string().nullish(),
  end_time: time,
  summary: z
    .object({
      total: z.number().int().nullish(),
      fixable: z.number().int().nullish(),
      summary: z.record(z.string(), z.number().int()).nullish(),
    })
    .nullish(),
})
const Scanned = z.object({ scan_overview: z.record(z.string(), ScanSummary).nullish() })

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const Report = z.object({
  generated_at: time,
  scanner: z.object({ name: text, version: text }).nullish(),
  vulnerabilities: z
    .array(
      z.object({
        id: z.string(),
        severity: text,
        package: text,
        version: text,
        fix_version: text,
        description: text,
        links: z.array(z.string()).nullish(),
      }),
    )
    .nullish(),
})

const scanStates: Record<string, ScanOverview['state']> = {
  Pending: 'waiting',
  Scheduled: 'waiting',
  Running: 'running',
  Success: 'done',
  Error: 'failed',
  Stopped: 'failed',
}

const repositoryPath = ({ project, repository }: RepositoryPlace): string =>
  `/projects/${part(project)}/repositories/${twice(repository)}`
const artifactPath = (place: RepositoryPlace, reference: string): string =>
  `${repositoryPath(place)}/artifacts/${part(reference)}`

export function harborContents(ask: AskHarbor): Contents {
  const artifact: Contents['artifact'] = async (access, place, reference, signal) =>
    parsed(await ask(access, { path: artifactPath(place, reference), query: { with_tag: true }, signal }), WireArtifact)

  return {
    artifact,

    repositories: async (access, project, { keyword, signal, ...at }) => {
      const q = fuzzy('name', keyword)
      if (q === undefined) return { items: [], total: 0 }
      const query = { sort: 'name', ...(keyword !== '' && { q }) }
      return slice(ask, access, { path: `/projects/${part(project)}/repositories`, query, signal }, at, WireRepository)
    },

    removeRepository: async (access, place) => {
      await ask(access, { method: 'DELETE', path: repositoryPath(place) })
    },

    artifacts: async (access, place, { keyword, tag, digest, signal, ...at }) => {
      const found = fuzzy('tags', keyword)
      if (found === undefined) return { items: [], total: 0 }
      const terms = [
        ...(digest === undefined ? [] : [`digest=${digest}`]),
        ...(tag === undefined ? (keyword === '' ? [] : [found]) : [`tags=${tag}`]),
      ]
      const query = {
        with_tag: true,
        with_immutable_status: true,
        sort: '-push_time',
        ...(terms.length > 0 && { q: terms.join(',') }),
      }
      return slice(ask, access, { path: `${repositoryPath(place)}/artifacts`, query, signal }, at, WireArtifact)
    },

    removeArtifact: async (access, place, digest) => {
      await ask(access, { method: 'DELETE', path: artifactPath(place, digest) })
    },

    removeTag: async (access, place, tag) => {
      await ask(access, { method: 'DELETE', path: `${artifactPath(place, tag)}/tags/${part(tag)}` })
    },

    history: async (access, place, reference, signal) => {
      const { digest, children } = await artifact(access, place, reference, signal)
      const [first] = children
      const path = `${artifactPath(place, first?.digest ?? digest)}/additions/build_history`
      return parsed(await ask(access, { path, signal }), History).map(({ created, created_by, empty_layer }) => ({
        createdAt: moment(created),
        createdBy: created_by ?? '',
        empty: empty_layer === true,
      }))
    },

    scanOverview: async (access, place, digest, signal) => {
      const query = { with_tag: false, with_scan_overview: true }
      const answer = await ask(access, { path: artifactPath(place, digest), query, signal })
      const [overview] = Object.values(parsed(answer, Scanned).scan_overview ?? {})
      const { summary } = overview ?? {}
      return {
        state: scanStates[overview?.scan_status ?? ''] ?? 'none',
        severity: overview?.severity ?? '',
        total: summary?.total ?? 0,
        fixable: summary?.fixable ?? 0,
        bySeverity: summary?.summary ?? {},
        endedAt: moment(overview?.end_time),
      }
    },

    scanReport: async (access, place, digest, signal) => {
      const answer = await ask(access, { path: `${artifactPath(place, digest)}/additions/vulnerabilities`, signal })
      // keyed by the type of the report, of which there is only one
      const [report] = Object.values(parsed(answer, z.record(z.string(), Report.nullish())))
      return {
        scanner: [report?.scanner?.name, report?.scanner?.version].filter((word) => word).join(' '),
        at: moment(report?.generated_at),
        findings: (report?.vulnerabilities ?? []).map(({ fix_version, links, ...found }) => ({
          ...found,
          fixedIn: fix_version,
          links: links ?? [],
        })),
      }
    },

    scan: async (access, place, digest) => {
      await ask(access, { method: 'POST', path: `${artifactPath(place, digest)}/scan` })
    },
  }
}
