import { type ComponentType, createElement, lazy, Suspense, useState, type ReactNode } from 'react'

/**
 * A dialog or a tab whose code loads when it is first opened, so that a list does not wait for its rows' forms. Once
 * loaded, it renders at once; `load` loads it ahead.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> & { load: () => Promise<void> } {
  let ready: ComponentType<P> | undefined
  const loadOnce = async () => (ready ??= await load())
  const Loaded = lazy(async () => ({ default: await loadOnce() })) as ComponentType<P>
  const Later = (props: P) => {
    // An open part keeps its component type, because another type would be mounted anew.
    const [Part] = useState(() => ready ?? Loaded)
    return createElement(Suspense, { fallback: waiting }, createElement(Part, props))
  }
  return Object.assign(Later, { load: async () => void (await loadOnce()) })
}
