import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'

/** Hits of one answer, and of one kind among them. */
export const searchCap = 20
export const searchKindCap = 6

const int = z.number().int()

/** Whose it is; null where it belongs to no team: a user, an agent, or what is every team's, seen by an administrator. */
const team = z.object({ id: int, name: z.string() }).nullable()

/** `name` is what was looked for, `hint` what it lies in, `place` what the address of its page is made of. */
const hit = <K extends string, P extends z.ZodRawShape>(kind: K, place: P) =>
  z.object({ kind: z.literal(kind), name: z.string(), hint: z.string(), team, place: z.object(place) })

export const SearchHit = z.discriminatedUnion('kind', [
  hit('pipeline', { id: int, appId: int }),
  hit('pipeline-group', { id: int }),
  hit('build', { id: int, appId: int, number: int }),
  /** A repository that builds of a pipeline pushed to. */
  hit('image', { id: int, appId: int }),
  hit('product', { id: int }),
  hit('stack', { id: int, envId: uuid }),
  hit('service', {
    id: int,
    type: z.string(),
    envId: uuid,
    stackId: int,
    stackUuid: uuid,
    stackName: z.string(),
  }),
  hit('cluster', { uuid }),
  hit('registry', { id: int }),
  hit('team', { id: int }),
  hit('user', { id: int }),
  hit('agent', { id: int }),
])
export type SearchHit = z.infer<typeof SearchHit>
export type SearchKind = SearchHit['kind']

export const search = {
  /**
   * Things that the caller may view, in all of their teams: the best matches first, what is of the team in the tenant header
   * before others that match as well. `shop #12` finds a build.
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
      /** More matched than is shown. */
      more: z.boolean(),
      /** Kinds that took too long to look through: they may hold more. */
      unread: z.array(z.string()),
    }),
  }),
}
