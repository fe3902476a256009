import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contents } from '@gantry/contract/images/contents'
import { repoIdOf } from '@gantry/contract/images/keys'
import { registries } from '@gantry/contract/images/registries'
import { runningUrl } from '@gantry/postgres/cluster'
import pg from 'pg'
import { labService } from '../apps/server/test/lab.ts'
import { registryFiles } from '../apps/server/test/registry-files.ts'
import type { Product } from '../e2e/product.ts'
import { figure, ms, repeat, timed } from './figures.ts'

const [repositories, tags, deleted, services] = [1000, 10_000, 500, 10_000]

/** Services of a stack; one in a hundred runs an image of the repository with many tags. */
async function runMany({ data }: Product, teamId: number, host: string): Promise<void> {
  const database = await runningUrl(join(data, 'postgres'))
  if (!database) throw new Error('the embedded database does not run')
  const client = new pg.Client({ connectionString: database('gantry') })
  await client.connect()
  await client.query(
    `with made as (insert into environment (name, server, address) values ('bench', 'https://127.0.0.1:1', 'x') returning uuid),
     stack as (insert into stack (team_id, environment, name, namespace, actor, state)
       select $1, uuid, 'bench', 'bench', 'x', 'running' from made returning id)
     insert into service (stack_id, name, state, actor, spec)
     select id, 'service-' || n, 'stable', 'x', jsonb_build_object('image',
       $2 || case when n % 100 = 0 then '/many/tags:t' else '/other/app-' || n || ':t' end || n)
     from stack, generate_series(1, $3::int) n`,
    [teamId, host, services],
  )
  await client.query('analyze service')
  await client.end()
}

/** Pages of a real registry, compared with `curl` for the same documents; needs the lab's registry. */
export async function benchImages(product: Product, teamId: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'gantry-bench-registry-'))
  const env = { SERVICES_HOME: home, REGISTRY_PORT: '15077' }
  const files = registryFiles(join(home, 'registry/data'))
  for (let n = 0; n < repositories; n++) files.image(`listed/app-${n}`, `app ${n}`, ['1'])
  for (let n = 0; n < tags; n++) files.image('many/tags', `image ${n}`, [`t${n}`])
  const going = Array.from({ length: deleted }, (_, n) => {
    files.image('many/by-curl', `image ${n}`, [`t${n}`])
    return { tag: `t${n}`, digest: files.image('many/deleted', `image ${n}`, [`t${n}`]) }
  })
  const lab = labService('registry', env)
  if (lab === undefined) return console.log('images: needs the lab’s registry')
  try {
    await measure(product, teamId, lab, going)
  } finally {
    labService('registry', env, 'down')
    rmSync(home, { recursive: true, force: true })
  }
}

async function measure(
  product: Product,
  teamId: number,
  lab: Record<string, string>,
  going: { tag: string; digest: string }[],
): Promise<void> {
  const { admin } = product
  const host = lab['REGISTRY_HOST'] ?? ''
  const account = { username: lab['REGISTRY_USER'] ?? '', password: lab['REGISTRY_PASSWORD'] ?? '' }
  const body = { name: 'bench', url: lab['REGISTRY_URL'] ?? '', ...account }
  const { id } = await admin.call(registries.create, { params: { teamId }, body })
  await runMany(product, teamId, host)
  const page = (requestPage: number) =>
    admin.call(contents.tags, {
      params: { id },
      query: { repo: 'many/tags', pageSize: 50, requestPage, sort: 'name' },
    })
  figure('the first 50 of 10,000 tags, nothing read before', [await timed(() => page(200))], ms)
  let next = 0
  const cold = await repeat(10, () => timed(() => page(++next)))
  const peer = await repeat(5, () => timed(() => Promise.resolve(curlPage(host, account, (next += 1)))))
  const middle = peer.toSorted((a, b) => a - b)[2] ?? 0
  figure('another 50, their images not read before', cold, ms, `curl ${ms(middle)}`)
  // read before, because the figures in between may take longer than tags are kept
  await page(1)
  figure('the same again', await repeat(20, () => timed(() => page(1))), ms)

  const search = (keyword: string) =>
    timed(() => admin.call(contents.repositories, { params: { id }, query: { keyword, pageSize: 20 } }))
  figure('1,000 repositories listed, the first time', [await search('')], ms)
  figure('1,000 repositories searched', await repeat(20, () => search(`app-${Math.floor(Math.random() * 99)}`)), ms)
  figure(
    'who uses the repositories of a page, among 10,000 services',
    await repeat(20, () => search(`app-${Math.floor(Math.random() * 9)}`)),
    ms,
  )
  const params = { repoId: repoIdOf({ registryId: id, repository: 'many/deleted' }) }
  let gone = 0
  const took = await timed(async () => {
    const done = await admin.call(contents.removeTags, { params, body: { tags: going } })
    gone = done.filter(({ done }) => done).length
  })
  if (gone !== going.length) throw new Error(`${gone} of ${going.length} tags were deleted`)
  const byCurl = await timed(() => Promise.resolve(curlDeletion(host, account, going)))
  figure('500 tags deleted', [took], ms, `curl ${ms(byCurl)}`)
}

interface Account {
  username: string
  password: string
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json'

/** Requests these paths of a repository, sixteen at once. */
function curl(host: string, { username, password }: Account, paths: string[], ...args: string[]): void {
  const all = ['-s', '--no-progress-meter', '--parallel', '--parallel-max', '16', '-u', `${username}:${password}`]
  const urls = paths.flatMap((path) => ['-o', '/dev/null', `http://${host}/v2/${path}`])
  execFileSync('curl', [...all, '-H', `accept: ${manifestType}`, ...args, ...urls])
}

/** Fetches as many documents as a page has manifests and configurations. */
function curlPage(host: string, account: Account, page: number): void {
  const paths = Array.from({ length: 50 }, (_, at) => `many/tags/manifests/t${(page - 1) * 50 + at}`)
  curl(host, account, paths)
  // as many small blobs as there are configurations
  curl(host, account, paths)
}

/** The requests of a deletion: each manifest before, once more, and its deletion. */
function curlDeletion(host: string, account: Account, going: { tag: string; digest: string }[]): void {
  const tagged = going.map(({ tag }) => `many/by-curl/manifests/${tag}`)
  curl(host, account, tagged)
  curl(host, account, tagged, '--head')
  curl(
    host,
    account,
    going.map(({ digest }) => `many/by-curl/manifests/${digest}`),
    '--request',
    'DELETE',
  )
}
