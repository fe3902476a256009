import type { ComponentType } from 'react'

/** For whom a page is read, in which team. */
export interface Reader {
  admin: boolean
  teamId: number
  /** As useMay() answers to what the page draws. */
  may: (permission: string) => boolean
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
  /** A shorter path of which this screen is the default: it leads here, its parameters and query too. */
  shortcut?: `/${string}`
  /** The page's module, loaded when it is first opened: `() => import('./x-page.tsx').then((m) => m.XPage)`. */
  page: () => Promise<ComponentType>
  /** Begins what the page reads when it is opened, by `readAhead`: its data come beside its module, not after it. */
  ahead?: (params: Record<string, string>, search: Record<string, string>, reader: Reader) => void
  /** Who may open it: a visitor, anyone signed in (default), administrators. */
  access?: 'public' | 'user' | 'admin'
  /** The menu entry that is lit while this screen is open; its own name by default. */
  under?: string
}
