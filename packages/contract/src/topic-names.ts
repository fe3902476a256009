import type { Endpoint } from './endpoint.ts'
import type { Topic } from './topic.ts'

type Named = Partial<Record<string, unknown>>

/** What a call says of the objects that it is about. */
export interface TopicInput {
  /** The parameters of the path; and the body where `access` is decided by one of its fields. */
  named: Named
  /** The team that the call is about, where the path names only an object of it. */
  teamId?: number | undefined
  /** Who calls. */
  userId?: number | undefined
}

/**
 * The name of a call's topic, or undefined where the call does not say what it is about. A parameter that the topic's
 * access requires a team or an object by is what the call's access names: the team, or an object of the same kind. Oneself
 * is the caller. Any other is the call's parameter of the same name.
 */
export function nameFor(
  topic: Topic,
  { access }: Pick<Endpoint, 'access'>,
  { named, teamId, userId }: TopicInput,
): string | undefined {
  const of = typeof access === 'string' || 'system' in access ? undefined : access
  const team = of && 'team' in of ? named[of.team] : of && teamId
  const rules = typeof topic.access === 'object' && 'scope' in topic.access ? topic.access.team : [topic.access].flat()
  const valueOf = (param: string): unknown => {
    for (const rule of rules) {
      if (typeof rule === 'string') continue
      if ('team' in rule && rule.team === param) return named[param] ?? team
      if ('self' in rule && rule.self === param) return named[param] ?? userId
      if ('owner' in rule && rule.by === param && of && 'owner' in of && of.owner === rule.owner) return named[of.by]
    }
    return named[param]
  }
  let isWhole = true
  const name = topic.path.replaceAll(/:(\w+)/g, (_, param: string) => {
    const value = valueOf(param)
    isWhole &&= value !== undefined
    return String(value)
  })
  return isWhole ? name : undefined
}
