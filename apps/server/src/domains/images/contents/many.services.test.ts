import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contents } from '@gantry/contract/images/contents'
import { repoIdOf } from '@gantry/contract/images/keys'
import { expect, onTestFinished, test } from 'vitest'
import { choosePort } from '../../../../../launcher/src/ports.ts'
import { isFull } from '../../../../test/full.ts'
import { labService } from '../../../../test/lab.ts'
import { pushImage } from '../../../../test/push-image.ts'
import { registryFiles } from '../../../../test/registry-files.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { createRegistry } from '../../../adapters/registry/registry.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { insertRegistry } from '../registries.store.ts'

/** Every repository has the same images, each with some of the tags; in the full suite a hundred tags. */
const [repositories, tagsEach, imagesEach] = [1000, isFull ? 100 : 10, 5]
const nameOf = (at: number) => `many/app-${at}`

test.skipIf(labService('registry') === undefined)(
  'in 1,000 repositories exactly the given tags are deleted, and those pushed meanwhile are kept (needs the lab’s registry)',
  async () => {
    // hundreds of thousands of small files, so in memory if possible
    const home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'gantry-registry-'))
    const data = join(home, 'registry/data')
    const env = { SERVICES_HOME: home, REGISTRY_PORT: String(await choosePort('127.0.0.1')) }
    const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
    onTestFinished(async () => {
      labService('registry', env, 'down')
      await outbound.close()
      rmSync(home, { recursive: true, force: true })
    })

    const files = registryFiles(data)
    const digests = new Map<string, string>()
    for (let at = 0; at < repositories; at++)
      for (let image = 0; image < imagesEach; image++) {
        const tags = Array.from({ length: tagsEach / imagesEach }, (_, n) => `v${image}.${n}`)
        const digest = files.image(nameOf(at), `image ${image}`, tags)
        for (const tag of tags) digests.set(tag, digest)
      }
    /** Every tag of every repository with its digest, read from the registry's disk. */
    const everything = () =>
      new Map(
        Array.from({ length: repositories }, (_, at) => nameOf(at)).flatMap((name) => {
          const folder = join(data, 'docker/registry/v2/repositories', name, '_manifests/tags')
          return readdirSync(folder).map((tag): [string, string] => [
            `${name}:${tag}`,
            readFileSync(join(folder, tag, 'current/link'), 'utf8'),
          ])
        }),
      )
    const before = everything()
    expect(before.size).toBe(repositories * tagsEach)

    const lab = labService('registry', env) ?? {}
    const access = {
      url: lab['REGISTRY_URL'] ?? '',
      username: lab['REGISTRY_USER'] ?? '',
      password: lab['REGISTRY_PASSWORD'] ?? '',
    }
    const registry = createRegistry(outbound)
    const app = await testApp({ ports: { registry } })
    const team = await app.team()
    const password = seal(app.ctx(), access.password)
    const row = { ...access, name: 'many', password, teamId: team.id, sandbox: false }
    const registryId = (await insertRegistry(app.db, row)) ?? 0
    const found = await team.leader.call(contents.repositories, {
      params: { id: registryId },
      query: { keyword: nameOf(500) },
    })
    expect(found.items.map(({ name }) => name)).toEqual([nameOf(500)])

    /** All but the last two images of one repository, and one image of its neighbour. */
    const said = [
      { repository: nameOf(500), tags: [...digests.keys()].filter((tag) => /^v[012]\./.test(tag)) },
      { repository: nameOf(501), tags: [...digests.keys()].filter((tag) => tag.startsWith('v3.')) },
    ]
    const pushed: [string, string][] = []
    const push = async (repository: string, tag: string) => {
      const layer = Buffer.from(`layer of ${repository}:${tag}`)
      const digest = await pushImage(registry, access, repository, { tags: [tag], layer, config: {} })
      pushed.push([`${repository}:${tag}`, digest])
    }
    const pushing = (async () => {
      for (let at = 0; at < 20; at++) await push(nameOf(at % 2 === 0 ? 500 : 700), `new-${at}`)
    })()
    const gone = await Promise.all(
      said.map(async ({ repository, tags }) => {
        const params = { repoId: repoIdOf({ registryId, repository }) }
        const body = { tags: tags.map((tag) => ({ tag, digest: digests.get(tag) ?? '' })) }
        const done = await team.leader.call(contents.removeTags, { params, body })
        expect(done.filter((one) => !one.done)).toEqual([])
        return tags.map((tag) => `${repository}:${tag}`)
      }),
    )
    await pushing

    const expected = new Map(before)
    for (const name of gone.flat()) expected.delete(name)
    for (const [name, digest] of pushed) expected.set(name, digest)
    const after = everything()
    const differing = [...new Set([...expected.keys(), ...after.keys()])].filter(
      (name) => expected.get(name) !== after.get(name),
    )
    expect(differing).toEqual([])
    expect(after.size).toBe(repositories * tagsEach - (4 * tagsEach) / imagesEach + 20)
  },
  300_000,
)
