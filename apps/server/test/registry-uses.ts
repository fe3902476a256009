import { jsonb } from '../src/db/json.ts'
import { seal } from '../src/kernel/secrets/secrets.ts'
import { putImages } from '../src/domains/helm/releases/releases.store.ts'
import { insertRegistry } from '../src/domains/images/registries.store.ts'
import type { TestApp } from './test-app.ts'

/** Adds a registry of a team, or (null) of the platform. */
export async function addRegistry(app: TestApp, teamId: number | null, name: string, url: string): Promise<number> {
  const registry = { name, url, username: '', password: null, teamId, sandbox: false }
  const id = await insertRegistry(app.db, registry)
  if (id === undefined) throw new Error(`there is a registry ${name} already`)
  return id
}

export interface Run {
  image: string
  digest?: string
  /** The digest that its pods name. */
  podDigest?: string
  previous?: { image: string; digest: string }
  revisions?: { image: string; digest: string }[]
  containers?: { name: string; role: string; image: string }[]
}

let made = 0

interface Releases {
  /** Images of the revision in force and of the previous one, as `host/repository:tag`. */
  [name: string]: { runs: string; back?: string }
}

/** A stack of a team with services and releases, by name, that run these images; only in the database. */
export async function runs(
  app: TestApp,
  teamId: number,
  services: Record<string, Run>,
  releases: Releases = {},
): Promise<void> {
  const name = `stack-${++made}`
  const address = seal(
    app.ctx(),
    JSON.stringify({ server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } }),
  )
  const { uuid: environment } = await app.db
    .insertInto('environment')
    .values({ name: `away-${made}`, server: 'https://127.0.0.1:1', address })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const stack = await app.db
    .insertInto('stack')
    .values({ team_id: teamId, environment, name, namespace: name, actor: 'x', state: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [release, run] of Object.entries(releases)) {
    const { id } = await app.db
      .insertInto('helm_release')
      .values({ stack_id: stack.id, name: release, chart: 'x', version: '1', state: 'deployed', actor: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const images = [run.runs, run.back ?? []].flat()
    const path = (image: string) => image.slice(image.indexOf('/') + 1).replace(/:[^:]*$/, '')
    await putImages(
      app.db,
      id,
      images.map((image, at) => ({ revision: 2 - at, runs: at === 0, image, path: path(image) })),
    )
  }
  for (const [service, run] of Object.entries(services)) {
    const spec = (image: string) => jsonb({ image, registryId: null, containers: run.containers ?? [] })
    const revisions = run.revisions ?? []
    const { id } = await app.db
      .insertInto('service')
      .values({
        stack_id: stack.id,
        name: service,
        state: 'stable',
        actor: 'x',
        spec: spec(run.image),
        digest: run.digest ?? '',
        pod_digest: run.podDigest ?? '',
        revision: revisions.length + 1,
        ...(run.previous && { previous_spec: spec(run.previous.image), previous_digest: run.previous.digest }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [at, { image, digest }] of revisions.entries())
      await app.db
        .insertInto('service_revision')
        .values({ service_id: id, revision: at + 1, spec: spec(image), image, digest, action: 'upgrade', by: 'x' })
        .execute()
  }
}
