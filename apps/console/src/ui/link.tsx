import { useParams, useRouter } from '@tanstack/react-router'
import { useCallback, type MouseEvent, type ReactNode } from 'react'
import { signed, useSigned } from '../api/session.ts'
import { paths } from '../paths.gen.ts'

export type RouteName = keyof typeof paths

type ParamNames<P extends string> = P extends `${string}$${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : P extends `${string}$${infer Name}`
    ? Name
    : never

type Value = string | number

/** The parameters of a route's path; `team_id` defaults to the current team's. */
export type ParamsOf<N extends RouteName> = Record<Exclude<ParamNames<(typeof paths)[N]>, 'team_id'>, Value> & {
  team_id?: Value
}

export type Search = Record<string, Value | undefined>

/** The target of a link: a route's name, its parameters, the query. Created by `to()`, which checks them. */
export interface To {
  name: RouteName
  params: Record<string, Value | undefined>
  search: Search
}

export function to<N extends RouteName>(
  name: N,
  ...[params, search]: [ParamNames<(typeof paths)[N]>] extends ['team_id']
    ? [params?: ParamsOf<N>, search?: Search]
    : [params: ParamsOf<N>, search?: Search]
): To {
  return { name, params: { ...params }, search: search ?? {} }
}

/** The address of a route. */
export function hrefOf({ name, params, search }: To, teamId = signed.get()?.teamId): string {
  const path = paths[name].replaceAll(/\$(\w+)/g, (_, param: string) => {
    const value = params[param] ?? (param === 'team_id' ? teamId : undefined)
    return encodeURIComponent(String(value ?? '-'))
  })
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(search))
    if (value !== undefined && value !== '') query.set(key, String(value))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

interface LinkProps {
  /** A string is a path within the console that the server gave. */
  to: To | string
  children: ReactNode
  className?: string | undefined
  title?: string
  current?: boolean
  /** Skipped by Tab, because the same link is beside it as text. */
  pointerOnly?: boolean
  onClick?: () => void
}

/** A link to a screen: a real one, which can be opened in a new tab and copied. */
export function GoTo({ to: target, children, className, title, current, pointerOnly, onClick }: LinkProps) {
  const router = useRouter()
  const teamId = useSigned()?.teamId
  const href = typeof target === 'string' ? target : hrefOf(target, teamId)
  return (
    <a
      href={href}
      className={className}
      title={title}
      aria-current={current ? 'page' : undefined}
      tabIndex={pointerOnly ? -1 : undefined}
      onClick={(event) => {
        onClick?.()
        if (!isPlainClick(event)) return
        event.preventDefault()
        router.history.push(href)
      }}
    >
      {children}
    </a>
  )
}

/** Navigates to a screen. */
export function useGo(): (target: To, options?: { replace?: boolean }) => void {
  const router = useRouter()
  return useCallback(
    (target, options) => {
      const href = hrefOf(target)
      if (options?.replace) router.history.replace(href)
      else router.history.push(href)
    },
    [router],
  )
}

/** A parameter of the open screen's path, decoded. */
export function useParam(name: string): string {
  const value = useParamIfAny(name)
  if (value === undefined) throw new Error(`this screen's path has no ${name}`)
  return value
}

/** The same for a part of several screens with different paths. */
export function useParamIfAny(name: string): string | undefined {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  return params[name]
}

/** The team of the open screen: from its path, otherwise the current one. */
export function useTeamId(): number {
  const named = useParamIfAny('team_id')
  const teamId = useSigned()?.teamId
  return Number(named ?? teamId ?? 0)
}
