import type { ComponentType } from 'react'
import type { Needs } from '../api/session.ts'
import type { PermissionKey } from '@gantry/contract/permission-keys.gen'

/** The user and team of a read. */
export interface Reader {
  admin: boolean
  teamId: number
  may: (needs: Needs) => boolean
}

/**
 * A screen. A domain exports a list of these, as plain data, from domains/<domain>/routes.tsx; `npm run gen` finds it.
 * The title of the screen is the phrase `route-<name>`.
 */
export interface AppRoute {
  /** The specification's route name. */
  name: string
  /** Parameters as `$name`, spelt as in the specification: `/teams/$team_id/cd`. */
  path: `/${string}`
  /** A shorter path of which this screen is the default: it redirects here with its parameters and query. */
  shortcut?: `/${string}`
  /** The page's module, loaded when it is first opened: `() => import('./x-page.tsx').then((m) => m.XPage)`. */
  page: () => Promise<ComponentType>
  /** Starts the page's reads when it is opened, with `readAhead`: its data load in parallel with its module. */
  ahead?: (params: Record<string, string>, search: Record<string, string>, reader: Reader) => void
  /** Who may open it: a visitor, any user (default), administrators. */
  access?: 'public' | 'user' | 'admin'
  /** Without these permissions the screen is locked, and its menu entry is dimmed: those of its main read. */
  needs?: PermissionKey | readonly PermissionKey[]
  /** A user with this installation-wide permission sees the screen without `needs`. */
  orNeeds?: PermissionKey
  /** The menu entry to highlight while this screen is open; default: its own name. */
  under?: string
}

/** The first permission that a screen needs and the user lacks. */
export const lackingOf = (
  route: AppRoute | undefined,
  may: (name: PermissionKey) => boolean,
): PermissionKey | undefined =>
  route?.orNeeds !== undefined && may(route.orNeeds)
    ? undefined
    : [route?.needs ?? []].flat().find((name) => !may(name))
