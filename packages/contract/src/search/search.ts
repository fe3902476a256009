import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'
import { ServiceState } from '../stacks/states.ts'

/** Maximum hits in an answer, in total and of one kind. */
export const searchCap = 20
export const searchKindCap = 6

const int = z.number().int()

/** Its team; null where it belongs to none: a user, an agent, or what belongs to every team, for an administrator. */
const team = z.object({ id: int, name: z.string() }).nullable()

/** `name` is what was searched, `hint` where it belongs, `place` the parameters of its page. */
const hit = <K extends string, P extends z.ZodRawShape>(kind: K, place: P) =>
  z.object({ kind: z.literal(kind), name: z.string(), hint: z.string(), team, place: z.object(place) })

export const SearchHit = z.discriminatedUnion('kind', [
  hit('pipeline', { id: int, appId: int }),
  hit('pipeline-group', { id: int }),
  hit('build', { id: int, appId: int, number: int }),
  /** A repository that builds of a pipeline pushed to. */
  hit('image', { id: int, appId: int }),
  hit('dockerfile', { id: int }),
  hit('config-project', { name: z.string() }),
  hit('product', { id: int }),
  hit('blueprint', { id: int, productId: int }),
  hit('stack', { id: int, envId: uuid }).extend({ uuid }),
  hit('service', {
    id: int,
    type: z.string(),
    envId: uuid,
    stackId: int,
    stackUuid: uuid,
    stackName: z.string(),
    /** `upgraded` waits for a decision. */
  }).extend({ state: ServiceState }),
  hit('helm-release', { id: int, cluster: uuid }),
  hit('cluster', { uuid }),
  hit('registry', { id: int }),
  /** A project of a Harbor that a team has. */
  hit('harbor-project', { id: int, harborId: int, projectId: int }),
  hit('harbor', { id: int }),
  /** An entry of the catalogue: in a team, or for an administrator. */
  hit('preset', { id: int }),
  hit('catalog', { id: int }),
  hit('certificate', { id: int }),
  hit('domain', { id: int, certificateId: int }),
  hit('team', { id: int }),
  hit('user', { id: int }),
  hit('agent', { id: int }),
  hit('alarm-rule', { id: int }),
])
export type SearchHit = z.infer<typeof SearchHit>
export type SearchKind = SearchHit['kind']

export const search = {
  /**
   * Objects that the caller may view, in all of their teams: the best matches first, and among equal ones those of the
   * team in the tenant header. `shop #12` finds a build.
   */
  find: endpoint({
    method: 'GET',
    path: '/api/search',
    access: 'user',
    forTokens: true,
    summary: 'Find things by name, in every team of the caller',
    query: z.strictObject({
      keyword: z
        .string()
        .trim()
        .refine((text) => text !== '', 'search-empty')
        .refine((text) => [...text].length <= 100, 'search-too-long'),
    }),
    data: z.object({
      items: z.array(SearchHit),
      /** There are more matches than are shown. */
      more: z.boolean(),
      /** Kinds that took too long to search: they may have more. */
      unread: z.array(z.string()),
    }),
  }),
}
