import { type ComponentType, createElement, lazy, Suspense, useState, type ReactNode } from 'react'

/**
 * A dialog, or a tab, whose code loads when it is first opened: a list does not wait for the forms that its rows open.
 * Once loaded, it is drawn at once; `load` loads it ahead.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> & { load: () => Promise<void> } {
  let ready: ComponentType<P> | undefined
  const loadOnce = async () => (ready ??= await load())
  const Loaded = lazy(async () => ({ default: await loadOnce() })) as ComponentType<P>
  const Later = (props: P) => {
    // What is open stays what it is: another type would begin anew.
    const [Part] = useState(() => ready ?? Loaded)
    return createElement(Suspense, { fallback: waiting }, createElement(Part, props))
  }
  return Object.assign(Later, { load: async () => void (await loadOnce()) })
}
