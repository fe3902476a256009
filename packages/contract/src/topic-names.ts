import type { Endpoint } from './endpoint.ts'
import type { Topic } from './topic.ts'

type Named = Partial<Record<string, unknown>>

/** The objects that a call names. */
export interface TopicInput {
  /** The parameters of the path, and of the body if one of its fields decides `access`. */
  named: Named
  /** The team of the call, if the path names only an object of the team. */
  teamId?: number | undefined
  /** The caller. */
  userId?: number | undefined
}

/**
 * The name of a call's topic; undefined if the call does not name all its parameters. A parameter by which the topic's
 * access requires a team or an object comes from the call's access: the team, or an object of the same kind. `self` is
 * the caller. Any other is the call's parameter of the same name.
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
