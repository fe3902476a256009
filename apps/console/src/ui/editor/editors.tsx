import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '../feedback/skeleton.tsx'

/** The editor is larger than any screen: it is loaded when one of these is rendered. */
const LazyYaml = lazy(async () => ({ default: (await import('./yaml-editor.tsx')).YamlEditor }))
const LazyDifference = lazy(async () => ({ default: (await import('./difference.tsx')).Difference }))

const waiting = <Skeleton rows={8} />

export const YamlEditor = (p: ComponentProps<typeof LazyYaml>) => (
  <Suspense fallback={waiting}>
    <LazyYaml {...p} />
  </Suspense>
)

export const Difference = (p: ComponentProps<typeof LazyDifference>) => (
  <Suspense fallback={waiting}>
    <LazyDifference {...p} />
  </Suspense>
)
