import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'
import { ServiceState } from '../stacks/states.ts'

/** Maximum hits in an answer, in total and of one kind. */
export const searchCap = 20
export const searchKindCap = 6

const int = z.number().int()

/** Its team; null if it has none: a user, an agent, or for an administrator an object of all teams. */
const team = z.object({ id: int, name: z.string() }).nullable()

/** `name` is the searched name, `hint` the object's context, `place` the parameters of its page. */
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
  /** A project of a Harbor that is assigned to a team. */
  hit('harbor-project', { id: int, harborId: int, projectId: int }),
  hit('harbor', { id: int }),
  /** An entry of the catalogue: in a team, or among all for an administrator. */
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
   * Objects that the caller may view, in all of the caller's teams: the best matches first, and among equal ones those
   * of the team in the tenant header. `shop #12` finds a build.
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
      /** Kinds whose search took too long: more of them may match. */
      unread: z.array(z.string()),
    }),
  }),
}
