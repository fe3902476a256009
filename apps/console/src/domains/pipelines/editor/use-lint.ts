import { Definition, type StageInput } from '@gantry/contract/pipelines/definition'
import { lint } from '@gantry/contract/pipelines/editing/lint'
import { useEffect, useMemo, useState } from 'react'
import { useRead } from '../../../api/hooks.ts'

/** The pause in typing after which the server is asked. */
const pauseMs = 700

/**
 * Parts that could not run, by path: of the saved definition, or of a draft, linted when typing pauses. An invalid
 * draft keeps the last findings.
 */
export function useLint(id: number, draft: readonly StageInput[] | undefined): ReadonlyMap<string, string> {
  const key = draft && JSON.stringify(draft)
  const [requested, setRequested] = useState<{ key: string; stages: Definition['stages'] }>()
  useEffect(() => {
    if (key === undefined) return undefined
    const timer = setTimeout(() => {
      const read = Definition.safeParse({ stages: JSON.parse(key) })
      if (read.success) setRequested({ key, stages: read.data.stages })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [key])
  const params = { id }
  const stored = useRead(lint.stored, { params })
  const ofDraft = useRead(
    lint.draft,
    { params, body: { stages: requested?.stages ?? [] } },
    { enabled: key !== undefined && requested !== undefined },
  )
  const found = key === undefined || requested === undefined ? stored.data : ofDraft.data
  return useMemo(() => new Map((found ?? []).map(({ path, text }) => [path, text])), [found])
}
