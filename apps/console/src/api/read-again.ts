import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/** Refetches a query: once for all requests within this many milliseconds. */
export function useReadAgain(queryKey: QueryKey, gatherMs: number): () => void {
  const client = useQueryClient()
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  return () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined
      void client.invalidateQueries({ queryKey })
    }, gatherMs)
  }
}
